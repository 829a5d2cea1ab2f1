import { stringify } from 'yaml';
import { shown } from '../../core/text.ts';
import type { Threshold } from '../profile/threshold.ts';
import { type ExportedEntry, type ExportedLoad, leftOut } from './exported-load.ts';
import type { ExportedRequest, HeaderPart } from './exported-request.ts';

/** Weights of scenarios are whole numbers, so shares are rounded to a ten-thousandth. */
const wholeWeight = 10_000;

/** A script for Artillery: phases, a scenario for each request that may be drawn, and the thresholds that it can express. */
export function renderArtillery(load: ExportedLoad): string {
  const { profile, schedule, target, entries } = load;
  const judged = profile.thresholds.map(artilleryThreshold).filter((found) => found !== undefined);
  const left = profile.thresholds.filter((threshold) => artilleryThreshold(threshold) === undefined);
  const script = {
    config: {
      target: target.baseUrl,
      phases: phasesOf(schedule, profile.warmUpMs),
      http: { timeout: Math.ceil(Math.max(profile.timeoutMs, ...entries.map(({ timeoutMs }) => timeoutMs)) / 1000) },
      plugins: {
        'metrics-by-endpoint': { useOnlyRequestNames: true },
        ...(judged.length === 0 ? {} : { ensure: { thresholds: judged } }),
      },
    },
    scenarios: entries.flatMap(scenariosOf),
  };
  const comments = [
    `# ${shown(profile.name, 80)}: ${shown(profile.question, 300)}`,
    '# Latency counts from when a request was sent, arrivals are spaced by Artillery, and no answer is checked against the',
    '# schemas. The warm-up counts too. Lists are read without a cursor or a filter. Keys come from the environment.',
    ...leftOut(load, left).map((line) => `# ${line}`),
  ];
  return `${comments.join('\n')}\n${stringify(script, { lineWidth: 0 })}`;
}

function phasesOf({ ratePerSecond: first, stages }: ExportedLoad['schedule'], warmUpMs: number) {
  const seconds = (ms: number) => Math.max(1, Math.round(ms / 1000));
  let before = first;
  const phases: Record<string, string | number>[] =
    warmUpMs === 0 ? [] : [{ name: 'warm-up', duration: seconds(warmUpMs), arrivalRate: before }];
  for (const [index, { ratePerSecond, overMs }] of stages.entries()) {
    // A jump is the rate at which the next phase begins.
    if (overMs > 0) {
      const ramp = ratePerSecond === before ? {} : { rampTo: ratePerSecond };
      phases.push({ name: `stage ${index + 1}`, duration: seconds(overMs), arrivalRate: before, ...ramp });
    }
    before = ratePerSecond;
  }
  return phases;
}

function scenariosOf({ operation, share, requests }: ExportedEntry) {
  const weight = Math.max(1, Math.round((wholeWeight * share) / requests.length));
  return requests.map((request) => ({ name: operation, weight, flow: [stepOf(operation, request)] }));
}

function stepOf(
  name: string,
  { method, path, headers, secretHeaders, body, keyVariable, onceHeaders }: ExportedRequest,
) {
  const once = Object.fromEntries(onceHeaders.map((header) => [header, 'awc-{{ $randomString(24) }}']));
  const secret = Object.entries(secretHeaders).map(([header, parts]) => [header, parts.map(spelled).join('')] as const);
  return {
    [method.toLowerCase()]: {
      url: path,
      name,
      followRedirect: false,
      headers: {
        ...headers,
        ...Object.fromEntries(secret),
        authorization: `Bearer ${spelled({ variable: keyVariable })}`,
        ...once,
      },
      ...(body === undefined ? {} : { body }),
    },
  };
}

function spelled(part: HeaderPart): string {
  return 'text' in part ? part.text : `{{ $processEnvironment.${part.variable} }}`;
}

/** Undefined for what Artillery does not measure, or cannot compare: it knows "less than" whole milliseconds only. */
function artilleryThreshold({ operation, measure, comparator, bound }: Threshold): Record<string, number> | undefined {
  if (measure.kind !== 'latency' && measure.kind !== 'service') return undefined;
  if (comparator !== '<' && comparator !== '<=') return undefined;
  const metric =
    operation === undefined ? 'http.response_time' : `plugins.metrics-by-endpoint.response_time.${operation}`;
  return { [`${metric}.${measure.point}`]: Math.ceil(bound) };
}
