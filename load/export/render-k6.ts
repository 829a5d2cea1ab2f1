import { shown } from '../../core/text.ts';
import type { Threshold } from '../profile/threshold.ts';
import { type ExportedEntry, type ExportedLoad, type ExportedRequest, leftOut } from './exported-load.ts';

/** A script for k6: scenarios of an arrival rate, with the thresholds that k6 can express. */
export function renderK6(load: ExportedLoad): string {
  const { profile, baseUrl, entries, missing } = load;
  const variables = [...new Set(entries.flatMap(({ requests }) => requests.flatMap(variablesOf)))];
  const left = profile.thresholds.filter((threshold) => k6Threshold(threshold) === undefined);
  return [
    `// ${shown(profile.name, 80)}: ${shown(profile.question, 300)}`,
    '// Latency counts from when a request was sent, and no answer is checked against the schemas. The warm-up counts too.',
    '// Lists are read without a cursor or a filter.',
    ...leftOut(missing, left).map((line) => `// ${line}`),
    `// ${variables.map((name) => `-e ${name}="$${name}"`).join(' ')} hands the keys over.`,
    "import { check } from 'k6';",
    "import http from 'k6/http';",
    '',
    `const baseUrl = __ENV.AWC_BASE_URL || ${JSON.stringify(baseUrl)};`,
    `const variables = ${JSON.stringify(variables)};`,
    'for (const name of variables) if (!__ENV[name]) throw new Error(`${name} is not set`);',
    '',
    `export const options = ${JSON.stringify(optionsOf(load), null, 2)};`,
    '',
    `const mix = ${JSON.stringify(entries.map(mixEntry), null, 2)};`,
    '// A busy chat answers 409, which is right.',
    `const expected = http.expectedStatuses({ min: 200, max: 299 }${profile.rateLimitedIsError ? '' : ', 429'});`,
    `const expectedOfMessages = http.expectedStatuses({ min: 200, max: 299 }, 409${profile.rateLimitedIsError ? '' : ', 429'});`,
    '',
    ...body,
  ].join('\n');
}

/** Drawn by weight, then evenly, as the profile says. */
const body = [
  'export default function () {',
  '  let place = Math.random();',
  '  const { operation, timeout, requests } = mix.find(({ share }) => (place -= share) < 0) || mix[mix.length - 1];',
  '  const request = requests[Math.floor(Math.random() * requests.length)];',
  "  const spell = (parts) => parts.map(({ text, variable }) => text || __ENV[variable]).join('');",
  "  const headers = Object.assign({ authorization: 'Bearer ' + __ENV[request.keyVariable] }, request.headers);",
  '  for (const name in request.secretHeaders) headers[name] = spell(request.secretHeaders[name]);',
  "  for (const name of request.onceHeaders) headers[name] = ['awc', Date.now(), __VU, __ITER].join('-');",
  '  const answer = http.request(request.method, baseUrl + request.path, request.body, {',
  '    headers,',
  '    timeout,',
  '    redirects: 0,',
  '    tags: { name: operation, operation },',
  "    responseCallback: operation === 'sendMessage' ? expectedOfMessages : expected,",
  '  });',
  "  check(answer, { 'answered with JSON': ({ headers: got }) => /json/.test(got['Content-Type'] || '') });",
  '}',
  '',
];

function variablesOf({ keyVariable, secretHeaders }: ExportedRequest): readonly string[] {
  const parts = Object.values(secretHeaders).flat();
  return [keyVariable, ...parts.flatMap((part) => ('variable' in part ? [part.variable] : []))];
}

function mixEntry({ operation, share, timeoutMs, requests }: ExportedEntry) {
  return { operation, share, timeout: `${timeoutMs}ms`, requests };
}

function optionsOf({ profile, schedule }: ExportedLoad) {
  const { warmUpMs, thresholds, timeoutMs } = profile;
  // k6 takes whole numbers only.
  const rates = [schedule.ratePerSecond, ...schedule.stages.map(({ ratePerSecond }) => ratePerSecond)];
  const isWhole = rates.every((rate) => Number.isInteger(rate));
  const rate = (perSecond: number) => Math.round(isWhole ? perSecond : 60 * perSecond);
  const warmUp = warmUpMs === 0 ? [] : [{ target: rate(schedule.ratePerSecond), duration: `${warmUpMs}ms` }];
  const judged: Record<string, string[]> = { dropped_iterations: ['count==0'] };
  for (const { metric, expression } of thresholds.flatMap((one) => k6Threshold(one) ?? [])) {
    (judged[metric] ??= []).push(expression);
  }
  return {
    discardResponseBodies: true,
    scenarios: {
      load: {
        executor: 'ramping-arrival-rate',
        startRate: rate(schedule.ratePerSecond),
        timeUnit: isWhole ? '1s' : '1m',
        stages: [
          ...warmUp,
          ...schedule.stages.map((stage) => ({ target: rate(stage.ratePerSecond), duration: `${stage.overMs}ms` })),
        ],
        preAllocatedVUs: Math.min(schedule.sockets, Math.ceil(Math.max(...rates))),
        maxVUs: schedule.sockets,
        gracefulStop: `${timeoutMs}ms`,
      },
    },
    thresholds: judged,
  };
}

const aggregates = {
  p50: 'p(50)',
  p75: 'p(75)',
  p90: 'p(90)',
  p95: 'p(95)',
  p99: 'p(99)',
  p999: 'p(99.9)',
  mean: 'avg',
  max: 'max',
} as const;

type K6Threshold = { readonly metric: string; readonly expression: string };

/** Undefined for what k6 does not measure. */
function k6Threshold({ operation, measure, comparator, bound }: Threshold): K6Threshold | undefined {
  const of = (metric: string) => (operation === undefined ? metric : `${metric}{operation:${operation}}`);
  switch (measure.kind) {
    case 'latency':
    case 'service':
      return { metric: of('http_req_duration'), expression: `${aggregates[measure.point]}${comparator}${bound}` };
    case 'throughput':
      return { metric: of('http_reqs'), expression: `rate${comparator}${bound}` };
    case 'share':
      return measure.of === 'errors'
        ? { metric: of('http_req_failed'), expression: `rate${comparator}${bound}` }
        : undefined;
    case 'violations':
      return undefined;
  }
}
