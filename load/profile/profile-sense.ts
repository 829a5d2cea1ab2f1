import { nameOf, type PartProblem } from '../../targets/schema-problems.ts';
import type { Path } from '../../targets/target-yaml.ts';
import type { ProfileFile } from './profile-schema.ts';
import { parseThreshold, type Threshold } from './threshold.ts';

/** What is wrong with a profile although each field is of the right kind. */
export function profileSenseProblems(file: ProfileFile): readonly PartProblem[] {
  return [...loadProblems(file), ...durationProblems(file), ...mixProblems(file), ...comparisonProblems(file)];
}

function at(path: Path, message: string, part: 'key' | 'value' = 'value'): PartProblem {
  return { path, part, message: `${nameOf(path)} ${message}` };
}

function loadProblems({ load }: ProfileFile): readonly PartProblem[] {
  const kinds = Object.keys(load);
  if (kinds.length === 0)
    return [at(['load'], 'is empty; name one of closed, open, capacity, rateLimit, contention, longPoll')];
  if (kinds.length > 1)
    return [at(['load', kinds[1] ?? ''], 'is a second kind of load; one is all a profile holds', 'key')];
  const { capacity } = load;
  if (capacity !== undefined && capacity.to <= capacity.from)
    return [at(['load', 'capacity', 'to'], 'must be over from')];
  return [];
}

function durationProblems({ load, duration }: ProfileFile): readonly PartProblem[] {
  const own = load.open?.stages !== undefined || load.capacity !== undefined || load.rateLimit !== undefined;
  if (own && duration !== undefined)
    return [at(['duration'], 'has no meaning here: the load says how long it takes', 'key')];
  if (!own && duration === undefined && Object.keys(load).length === 1) {
    return [at(['load'], 'needs a duration beside it, such as duration: 30s', 'key')];
  }
  return [];
}

function mixProblems({ load, operations }: ProfileFile): readonly PartProblem[] {
  const entries = Object.entries(operations ?? {});
  if (load.contention !== undefined || load.rateLimit !== undefined) {
    const what = load.contention === undefined ? 'the lists' : 'messages';
    return operations === undefined ? [] : [at(['operations'], `has no meaning here: this load sends ${what}`, 'key')];
  }
  if (entries.length === 0)
    return [at(['operations'], 'is missing; name at least one, such as listModels: { weight: 1 }')];
  if (entries.every(([, entry]) => entry?.weight === 0))
    return [at(['operations'], 'has no operation with a weight over 0')];
  return [];
}

function comparisonProblems(file: ProfileFile): readonly PartProblem[] {
  const { thresholds = [], abort = [] } = file;
  const found: PartProblem[] = [];
  const sent = sentBy(file);
  for (const [index, text] of thresholds.entries()) {
    const parsed = parseThreshold(text);
    if ('problem' in parsed) found.push(at(['thresholds', index], parsed.problem));
    else if (parsed.operation !== undefined && sent?.has(parsed.operation) === false)
      found.push(at(['thresholds', index], `is about ${parsed.operation}, which this profile does not send`));
  }
  for (const [index, text] of abort.entries()) {
    const parsed = parseThreshold(text);
    if ('problem' in parsed) found.push(at(['abort', index], parsed.problem));
    else if (!isOfAll(parsed))
      found.push(at(['abort', index], 'must be about a share of all requests, such as "errors.rate > 50%"'));
  }
  return found;
}

/** The operations that a load sends; undefined where it has no mix and says itself what it sends. */
function sentBy({ load, operations }: ProfileFile): ReadonlySet<string> | undefined {
  if (operations === undefined) return undefined;
  const mix = Object.entries(operations).filter(([, entry]) => entry?.weight !== 0);
  return new Set([...mix.map(([name]) => name), ...(load.longPoll === undefined ? [] : ['sendMessage'])]);
}

/** The last seconds are looked at as a whole, and by what came of requests. */
function isOfAll({ operation, measure }: Threshold): boolean {
  return operation === undefined && measure.kind === 'share' && measure.of !== 'withheld';
}
