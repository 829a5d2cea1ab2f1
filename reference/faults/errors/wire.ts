import type { Request } from '../../http/request.ts';
import type { WireBreak } from '../../http/wire-form.ts';
import type { Fault } from '../../variation.ts';
import { on } from '../shared/requests.ts';

/** Some answers are broken off. */
function broken(how: WireBreak, when: (status: number, request: Request) => boolean): Fault['alter'] {
  return (rules) => ({
    breaks: (status, request) => (when(status, request) ? how : rules.breaks(status, request)),
  });
}

export const wireFaults: readonly Fault[] = [
  {
    name: 'byte-order-mark',
    breaks: 'robustness.json',
    sentence: 'The body begins with a byte order mark.',
    alter: () => ({ bodyText: (text) => `\uFEFF${text}` }),
  },
  {
    name: 'length-in-characters',
    breaks: 'robustness.json',
    sentence: 'The body length is counted in characters, not bytes, so the end of a body is cut off.',
    idle: { 'json-writing': ['escaped'] },
    alter: (rules) => ({
      encode: (text, status, request) => rules.encode(text, status, request).subarray(0, text.length),
    }),
  },
  {
    name: 'json-with-nan',
    breaks: 'robustness.json',
    sentence: 'organizationCount is written as NaN.',
    alter: () => ({
      bodyText: (text) => text.replace(/"organizationCount": *\d+/, '"organizationCount":NaN'),
    }),
  },
  {
    name: 'json-guarded',
    breaks: 'robustness.json',
    sentence: 'Lists begin with a prefix that prevents their execution as a script.',
    alter: () => ({ bodyText: (text) => `${text.includes('"pagination":') ? ")]}',\n" : ''}${text}` }),
  },
  {
    name: 'latin-1',
    breaks: 'robustness.json',
    sentence: 'The body is encoded in Latin-1, although its charset is UTF-8.',
    idle: { 'json-writing': ['escaped'] },
    alter: () => ({ encode: (text) => new Uint8Array(Buffer.from(text, 'latin1')) }),
  },
  {
    name: 'reset-on-deletion',
    breaks: 'robustness.answered',
    sentence: 'The connection is reset after a deletion, before the answer is sent.',
    alter: broken('reset', (_status, request) => on('deleteDataSource')(request)),
  },
  {
    name: 'errors-cut-off',
    breaks: 'robustness.answered',
    sentence: 'The body of an error is shorter than its content length.',
    alter: broken('long-length', (status) => status >= 400),
  },
  {
    name: 'long-pages-cut-off',
    breaks: 'robustness.answered',
    sentence: 'The connection ends in the middle of a page of 100 items.',
    alter: broken('cut-body', (_status, { query }) => query.get('limit')?.[0] === '100'),
  },
  {
    name: 'gzip-in-name-only',
    breaks: 'robustness.answered',
    sentence: 'Errors have the header Content-Encoding: gzip but are not compressed.',
    alter: broken('not-gzip', (status) => status >= 400),
  },
  {
    name: 'error-page-without-head',
    breaks: 'robustness.answered',
    sentence: 'A refused message is answered with an HTML page without any HTTP headers.',
    alter: broken('not-http', (status, request) => on('sendMessage')(request) && status >= 400),
  },
  {
    name: 'unknown-account-hangs',
    breaks: 'robustness.answered',
    sentence: 'A request for a billing account that does not exist is never answered.',
    alter: broken(
      'hang',
      (status, request) =>
        on('getBillingAccount')(request) && request.caller !== undefined && status >= 400 && status !== 429,
    ),
  },
];
