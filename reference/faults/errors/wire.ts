import type { Request } from '../../http/request.ts';
import type { WireBreak } from '../../http/wire-form.ts';
import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { hardlyOutlastsWait } from '../shared/idle.ts';
import { isWholePage, on } from '../shared/requests.ts';

/** A load balancer closes an idle connection after this many milliseconds. */
const cutMs = 2500;

/** Some answers are broken off. */
function broken(how: WireBreak, when: (status: number, request: Request) => boolean): Fault['alter'] {
  return (rules) => ({
    breaks: (status, request) => (when(status, request) ? how : rules.breaks(status, request)),
  });
}

export const wireFaults = faultsOf({
  'robustness.json': {
    'byte-order-mark': {
      sentence: 'The body begins with a byte order mark.',
      alter: () => ({ bodyText: (text) => `\uFEFF${text}` }),
    },
    'length-in-characters': {
      sentence: 'The body length is counted in characters, not bytes, so the end of a body is cut off.',
      idle: { 'json-writing': ['escaped'] },
      alter: (rules) => ({
        encode: (text, status, request) => rules.encode(text, status, request).subarray(0, text.length),
      }),
    },
    'json-with-nan': {
      sentence: 'organizationCount is written as NaN.',
      alter: () => ({
        bodyText: (text) => text.replace(/"organizationCount": *\d+/, '"organizationCount":NaN'),
      }),
    },
    'page-for-browsers': {
      sentence: 'To a client that prefers HTML, data is shown as a page of an API explorer.',
      alter: () => ({
        bodyText: (text, { headers }, status) =>
          status < 300 && headers['accept']?.startsWith('text/html') === true
            ? `<html><body><pre>${text.length}</pre></body></html>`
            : text,
      }),
    },
    'json-guarded': {
      sentence: 'Lists begin with a prefix that prevents their execution as a script.',
      alter: () => ({ bodyText: (text) => `${text.includes('"pagination":') ? ")]}',\n" : ''}${text}` }),
    },
    'latin-1': {
      sentence: 'The body is encoded in Latin-1, although its charset is UTF-8.',
      idle: { 'json-writing': ['escaped'] },
      alter: () => ({ encode: (text) => new Uint8Array(Buffer.from(text, 'latin1')) }),
    },
  },
  'robustness.answered': {
    'reset-on-deletion': {
      sentence: 'The connection is reset after a deletion, before the answer is sent.',
      alter: broken('reset', (_status, request) => on('deleteDataSource')(request)),
    },
    'held-connections-cut': {
      sentence: 'A load balancer closes a connection on which nothing was sent for 2.5 seconds.',
      idle: { assistant: [...hardlyOutlastsWait, 'always-2-s'] },
      alter: (rules) => {
        const cut = new Set<number>();
        return {
          heldMs: (wait, remainingMs, request) => {
            const heldMs = rules.heldMs(wait, remainingMs, request);
            if (heldMs > cutMs) cut.add(request.turn);
            return Math.min(cutMs, heldMs);
          },
          breaks: (status, request) => (cut.has(request.turn) ? 'reset' : rules.breaks(status, request)),
        };
      },
    },
    'errors-cut-off': {
      sentence: 'The body of an error is shorter than its content length.',
      alter: broken('long-length', (status) => status >= 400),
    },
    'long-pages-cut-off': {
      sentence: 'The connection ends in the middle of a page of 100 items.',
      alter: broken('cut-body', (_status, request) => isWholePage(request)),
    },
    'gzip-in-name-only': {
      sentence: 'Errors have the header Content-Encoding: gzip but are not compressed.',
      alter: broken('not-gzip', (status) => status >= 400),
    },
    'compressed-answers-unreadable': {
      sentence: 'Where a client accepts gzip, lists have the header Content-Encoding: gzip but are not compressed.',
      alter: broken(
        'not-gzip',
        (status, { headers, query }) =>
          status === 200 && query.has('limit') && headers['accept-encoding']?.includes('gzip') === true,
      ),
    },
    'compressed-answers-cut-off': {
      sentence: 'Answers to clients that accept brotli end in the middle.',
      alter: broken('cut-body', (_status, { headers }) => headers['accept-encoding']?.includes('br') === true),
    },
    'compressed-pages-are-shorter': {
      sentence: 'To a client that accepts gzip, a page of at most 20 items is sent, whatever the limit.',
      alter: () => ({
        pageSize: (size, { headers }) => (headers['accept-encoding'] === undefined ? size : Math.min(20, size)),
      }),
    },
    'error-page-without-head': {
      sentence: 'A refused message is answered with an HTML page without any HTTP headers.',
      alter: broken('not-http', (status, request) => on('sendMessage')(request) && status >= 400),
    },
    'unknown-account-hangs': {
      sentence: 'A request for a billing account that does not exist is never answered.',
      alter: broken(
        'hang',
        (status, request) =>
          on('getBillingAccount')(request) && request.caller !== undefined && status >= 400 && status !== 429,
      ),
    },
  },
});
