import type { Fault } from '../../variation.ts';

export const wireFaults: readonly Fault[] = [
  {
    name: 'byte-order-mark',
    breaks: 'robustness.json',
    sentence: 'A byte order mark stands before the JSON.',
    alter: (rules) => ({ bodyText: (text, status, request) => `\uFEFF${rules.bodyText(text, status, request)}` }),
  },
  {
    name: 'length-in-characters',
    breaks: 'robustness.json',
    sentence: 'The length of a body is counted in characters, so that its end is missing where it has other letters.',
    idle: { 'json-writing': ['escaped'] },
    alter: (rules) => ({
      encode: (text, status, request) => rules.encode(text, status, request).subarray(0, text.length),
    }),
  },
  {
    name: 'json-with-nan',
    breaks: 'robustness.json',
    sentence: 'A number that is none is written NaN.',
    alter: (rules) => ({
      bodyText: (text, status, request) =>
        rules.bodyText(text, status, request).replace(/"organizationCount": *\d+/, '"organizationCount":NaN'),
    }),
  },
  {
    name: 'json-guarded',
    breaks: 'robustness.json',
    sentence: 'Lists begin with a guard against being run as a script.',
    alter: (rules) => ({
      bodyText: (text, status, request) =>
        `${text.includes('"pagination":') ? ")]}',\n" : ''}${rules.bodyText(text, status, request)}`,
    }),
  },
  {
    name: 'latin-1',
    breaks: 'robustness.json',
    sentence: 'The body is in Latin-1, whatever its charset says.',
    idle: { 'json-writing': ['escaped'] },
    alter: () => ({ encode: (text) => new Uint8Array(Buffer.from(text, 'latin1')) }),
  },
  {
    name: 'reset-on-deletion',
    breaks: 'robustness.answered',
    sentence: 'The connection is reset after a deletion, before the answer.',
    alter: (rules) => ({
      breaks: (status, request) => (request.operation === 'deleteDataSource' ? 'reset' : rules.breaks(status, request)),
    }),
  },
  {
    name: 'errors-cut-off',
    breaks: 'robustness.answered',
    sentence: 'The body of an error is shorter than its content length.',
    alter: (rules) => ({
      breaks: (status, request) => (status >= 400 ? 'long-length' : rules.breaks(status, request)),
    }),
  },
  {
    name: 'long-pages-cut-off',
    breaks: 'robustness.answered',
    sentence: 'The connection ends in the middle of a page of a hundred.',
    alter: (rules) => ({
      breaks: (status, request) =>
        request.query.get('limit')?.[0] === '100' ? 'cut-body' : rules.breaks(status, request),
    }),
  },
  {
    name: 'gzip-in-name-only',
    breaks: 'robustness.answered',
    sentence: 'Errors say that they are gzip and are not.',
    alter: (rules) => ({ breaks: (status, request) => (status >= 400 ? 'not-gzip' : rules.breaks(status, request)) }),
  },
  {
    name: 'error-page-without-head',
    breaks: 'robustness.answered',
    sentence: 'A refused message gets a page of the proxy without any HTTP around it.',
    alter: (rules) => ({
      breaks: (status, request) =>
        request.operation === 'sendMessage' && status >= 400 ? 'not-http' : rules.breaks(status, request),
    }),
  },
  {
    name: 'unknown-account-hangs',
    breaks: 'robustness.answered',
    sentence: 'A billing account that does not exist is looked for without end.',
    alter: (rules) => ({
      breaks: (status, request) =>
        request.operation === 'getBillingAccount' && request.caller !== undefined && status >= 400 && status !== 429
          ? 'hang'
          : rules.breaks(status, request),
    }),
  },
];
