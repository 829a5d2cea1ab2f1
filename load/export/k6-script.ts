import { shown } from '../../core/text.ts';
import type { Target } from '../../core/target.ts';
import type { Profile } from '../profile/profile.ts';
import { type ExportedRequest, variablesOf } from './exported-request.ts';

type K6Script = {
  readonly profile: Profile;
  readonly target: Target;
  readonly isPoisson: boolean;
  /** Sentences about what the script leaves out. */
  readonly comments: readonly string[];
  /** Every request of the script, for the variables that they read. */
  readonly requests: readonly ExportedRequest[];
  readonly imports: readonly string[];
  readonly options: object;
  /** Code below the function `send(request, timeout, tags, responseType)`. */
  readonly code: readonly string[];
};

/** The text of a script for k6. */
export function k6Script({ profile, target, requests, options, ...script }: K6Script): string {
  const variables = variablesOf(requests);
  const also429 = profile.rateLimitedIsError ? '' : ', 429';
  return [
    '// @ts-check',
    `// ${shown(profile.name, 80)}: ${shown(profile.question, 300)}`,
    '// Latency counts from when a request was sent, and no answer is checked against the schemas. The warm-up counts too.',
    ...(script.isPoisson ? ['// Arrivals are evenly spaced, not random.'] : []),
    ...script.comments.map((line) => `// ${line}`),
    `// Run it with the keys: k6 run ${variables.map((name) => `-e ${name}="$${name}"`).join(' ')} FILE`,
    ...script.imports,
    '',
    `const baseUrl = __ENV.AWC_BASE_URL || ${JSON.stringify(target.baseUrl)};`,
    `for (const name of ${JSON.stringify(variables)}) if (!__ENV[name]) throw new Error(\`\${name} is not set\`);`,
    '',
    "/** @type {import('k6/options').Options} */",
    `export const options = ${JSON.stringify(options, null, 2)};`,
    '',
    '// A busy chat answers 409, which is right.',
    `const expected = http.expectedStatuses({ min: 200, max: 299 }${also429});`,
    `const expectedOfMessages = http.expectedStatuses({ min: 200, max: 299 }, 409${also429});`,
    '',
    ...send,
    ...script.code,
    '',
  ].join('\n');
}

/** Sends a request with its key and with new values for the headers that need them. */
const send = [
  '/**',
  ' * @typedef {{ text: string } | { variable: string }} HeaderPart',
  ' * @typedef {{ method: string, path: string, body?: string, headers: Record<string, string>, keyVariable: string,',
  ' *   secretHeaders: Record<string, HeaderPart[]>, onceHeaders: string[] }} Request',
  ' */',
  '',
  'let sent = 0;',
  '',
  '/**',
  ' * @param {Request} request',
  ' * @param {string} timeout',
  ' * @param {{ operation: string, [name: string]: string }} tags',
  " * @param {'none' | 'text'} responseType",
  ' */',
  'function send(request, timeout, tags, responseType) {',
  "  const headers = Object.assign({ authorization: 'Bearer ' + __ENV[request.keyVariable] }, request.headers);",
  '  for (const [name, parts] of Object.entries(request.secretHeaders)) {',
  "    headers[name] = parts.map((part) => ('text' in part ? part.text : __ENV[part.variable])).join('');",
  '  }',
  '  sent += 1;',
  "  for (const name of request.onceHeaders) headers[name] = ['awc', Date.now(), exec.vu.idInTest, sent].join('-');",
  '  const answer = http.request(request.method, baseUrl + request.path, request.body, {',
  '    headers,',
  '    timeout,',
  '    redirects: 0,',
  '    tags,',
  '    responseType,',
  "    responseCallback: tags.operation === 'sendMessage' ? expectedOfMessages : expected,",
  '  });',
  "  check(answer, { 'answered with JSON': ({ headers: got }) => /json/.test(got['Content-Type'] || '') });",
  '  return answer;',
  '}',
  '',
];
