import { at, type PartProblem } from '../../targets/schema-problems.ts';
import { loadKinds } from '../kinds/kinds.ts';
import type { LoadKind, ReadFile } from '../kinds/load-kind.ts';
import { onceOperations, type OnceOperation, repeatableOperations } from './mix.ts';
import type { ProfileFile } from './profile-schema.ts';
import { parseThreshold, type Threshold } from './threshold.ts';

/** What is wrong with a profile although each field is valid by itself. */
export function profileSenseProblems(file: ProfileFile, readFile: ReadFile): readonly PartProblem[] {
  const kind = kindOf(file);
  if (kind === undefined)
    return [at(['load'], `is empty; name one of ${loadKinds.map(({ name }) => name).join(', ')}`)];
  const read = kind.read(file.load[kind.name], readFile);
  return [...loadProblems(file, kind, read), ...comparisonProblems(file, kind, read.stepNames)];
}

function kindOf({ load }: Pick<ProfileFile, 'load'>) {
  return loadKinds.find(({ name }) => load[name] !== undefined);
}

function loadProblems(
  { load, duration, operations, workers = 1 }: ProfileFile,
  kind: LoadKind,
  { problems, hasOwnDuration, usesUp }: ReturnType<LoadKind['read']>,
): readonly PartProblem[] {
  const [, second] = Object.keys(load);
  if (second !== undefined) return [at(['load', second], 'is a second kind of load; a profile has exactly one', 'key')];
  const found = problems.map(({ path, message }) => at(['load', kind.name, ...path], message));
  if (hasOwnDuration && duration !== undefined)
    found.push(at(['duration'], 'has no meaning here: this load has its own duration', 'key'));
  if (!hasOwnDuration && duration === undefined)
    found.push(at(['load'], 'needs a duration beside it, such as duration: 30s', 'key'));
  if (workers !== 1 && kind.name !== 'open')
    found.push(at(['workers'], 'divides the schedule of an open load; this load has none', 'key'));
  return [...found, ...mixProblems(operations, kind.sendsInstead), ...onceProblems(usesUp, operations)];
}

function mixProblems(operations: ProfileFile['operations'], sendsInstead: string | undefined): readonly PartProblem[] {
  if (sendsInstead !== undefined) {
    if (operations === undefined) return [];
    return [at(['operations'], `has no meaning here: this load sends ${sendsInstead}`, 'key')];
  }
  const entries = Object.values(operations ?? {});
  if (entries.length === 0)
    return [at(['operations'], 'is missing; name at least one, such as listModels: { weight: 1 }')];
  if (entries.every((entry) => entry?.weight === 0))
    return [at(['operations'], 'has no operation with a weight over 0')];
  return [];
}

/** What uses up what it sends needs a load that sends it once, and something else to send. */
function onceProblems(
  usesUp: readonly OnceOperation[],
  operations: ProfileFile['operations'] = {},
): readonly PartProblem[] {
  const used = onceOperations.filter((operation) => operations[operation] !== undefined);
  return used.flatMap((operation) => {
    const path = ['operations', operation];
    if (!usesUp.includes(operation)) {
      const search = operation === 'deleteDataSource' ? ', or a capacity search with correct: true,' : '';
      return [at(path, `uses up what it sends; only an open load${search} can send it`, 'key')];
    }
    const needs = operation === 'deleteDataSource' ? (['listDataSources'] as const) : repeatableOperations;
    return needs.some((name) => (operations[name]?.weight ?? 0) > 0)
      ? []
      : [at(path, `uses up what it sends; it needs ${needs.join(' or ')} beside it`, 'key')];
  });
}

function comparisonProblems(file: ProfileFile, kind: LoadKind, steps: readonly string[]): readonly PartProblem[] {
  const sent = sentBy(file, kind);
  return (['thresholds', 'abort'] as const).flatMap((list) =>
    (file[list] ?? []).flatMap((text, index) => {
      const parsed = parseThreshold(text, steps);
      const problem = 'problem' in parsed ? parsed.problem : (unsent(parsed, sent) ?? unfit(parsed, list));
      return problem === undefined ? [] : [at([list, index], problem)];
    }),
  );
}

function unsent({ operation }: Threshold, sent: ReadonlySet<string> | undefined): string | undefined {
  return operation === undefined || sent?.has(operation) !== false
    ? undefined
    : `is about ${operation}, which this profile does not send`;
}

/** A condition to end a run is about the requests that ended in the last seconds. */
function unfit({ measure }: Threshold, list: 'thresholds' | 'abort'): string | undefined {
  const isOfEnded =
    measure.kind === 'latency' || measure.kind === 'service' || (measure.kind === 'share' && measure.of !== 'withheld');
  return list === 'thresholds' || isOfEnded
    ? undefined
    : 'must be about requests that ended: a share, such as "errors.rate > 50%", or a time, such as "latency.p99 > 2s"';
}

/** The operations that a load sends; undefined where the kind decides that. */
function sentBy({ operations }: ProfileFile, { sendsBeside }: LoadKind): ReadonlySet<string> | undefined {
  if (operations === undefined) return undefined;
  const mix = Object.entries(operations).filter(([, entry]) => entry?.weight !== 0);
  return new Set([...mix.map(([name]) => name), ...[sendsBeside ?? []].flat()]);
}
