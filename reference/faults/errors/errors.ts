import type { Fault } from '../../variation.ts';
import { detailed, refusedWith, refusedWithFields, titled } from '../shared/alterations.ts';
import { on } from '../shared/requests.ts';

export const errorFaults: readonly Fault[] = [
  {
    name: 'errors-flat',
    breaks: 'errors.body',
    sentence: 'title and detail are at the top level of the body, as in RFC 9457.',
    alter: () => ({ errorBody: (error) => error }),
  },
  {
    name: 'errors-in-a-list',
    breaks: 'errors.body',
    sentence: 'Validation errors are returned in a list, {"errors": […]}.',
    alter: (rules) => ({
      errorBody: (error, kind, request) =>
        kind.startsWith('invalid') ? { errors: [error] } : rules.errorBody(error, kind, request),
    }),
  },
  {
    name: 'detail-of-issues',
    breaks: 'errors.body',
    sentence: 'The detail of a refused message is a list of validation issues.',
    alter: detailed([{ path: ['message'], message: 'Required' }], 'invalidMessage'),
  },
  {
    name: 'errors-in-html',
    breaks: 'errors.content-type',
    sentence: 'Errors have the content type text/html.',
    alter: (rules) => ({
      headers: (status, request) =>
        status >= 400 ? { 'content-type': 'text/html; charset=utf-8' } : rules.headers(status, request),
    }),
  },
  {
    name: 'deletion-in-plain-text',
    breaks: 'errors.content-type',
    sentence: 'The answer to a deletion has the content type text/plain.',
    alter: (rules) => ({
      headers: (status, request) =>
        on('deleteDataSource')(request) && status < 300
          ? { 'content-type': 'text/plain' }
          : rules.headers(status, request),
    }),
  },
  {
    name: 'account-without-content-type',
    breaks: 'errors.content-type',
    sentence: 'A billing account is returned without a content type.',
    alter: (rules) => ({
      headers: (status, request) => (on('getBillingAccount')(request) ? {} : rules.headers(status, request)),
    }),
  },
  {
    name: 'retry-on-every-error',
    breaks: 'errors.retry-only-when-limited',
    sentence: 'Every error has retryAfterMs, which is 0 unless the rate limit is exceeded.',
    alter: refusedWithFields({ retryAfterMs: 0 }),
  },
  {
    name: 'retry-null-on-401',
    breaks: 'errors.retry-only-when-limited',
    sentence: 'A 401 answer has retryAfterMs: null.',
    alter: refusedWithFields({ retryAfterMs: null }, 'unauthenticated'),
  },
  {
    name: 'conflict-titled-rate-limit',
    breaks: 'errors.title-means-limited',
    sentence: 'The 409 of a busy chat has the title RateLimitExceeded.',
    idle: { assistant: ['at-once', 'slow-is-quick'] },
    alter: titled('RateLimitExceeded', 'conflict'),
  },
  {
    name: 'denial-titled-rate-limit',
    breaks: 'errors.title-means-limited',
    sentence: 'A denied request gets the title RateLimitExceeded from a copied handler.',
    alter: titled('RateLimitExceeded', 'denied'),
  },
  {
    name: 'stack-trace-in-detail',
    breaks: 'errors.no-internals',
    sentence: 'detail contains the stack trace of the exception.',
    alter: detailed(
      'Error: not found\n    at findOne (/srv/app/src/organizations.ts:41:11)\n    at process.processTicksAndRejections',
      'unknownOrganization',
    ),
  },
  {
    name: 'sql-in-detail',
    breaks: 'errors.no-internals',
    sentence: 'detail contains the SQL statement that found nothing.',
    alter: detailed(
      "no rows: SELECT * FROM data_sources WHERE id = 'x' AND deleted_at IS NULL",
      'unknownSource',
      'unknownFilter',
    ),
  },
  {
    name: 'invalid-limit-500',
    breaks: 'errors.no-5xx',
    sentence: 'A limit that the database rejects causes an exception.',
    alter: (rules) => ({ limitInstead: () => undefined, ...refusedWith(500, 'invalidLimit')(rules) }),
  },
  {
    name: 'long-key-500',
    breaks: 'errors.no-5xx',
    sentence: 'An idempotency key that is longer than its database column causes an exception.',
    alter: refusedWith(500, 'invalidKey'),
  },
  {
    name: 'list-for-a-parameter-500',
    breaks: 'errors.no-5xx',
    sentence: 'A parameter name that ends in brackets is parsed as a list and causes an exception.',
    alter: () => ({ status: (status, { query }) => (query.has('limit[]') ? 500 : status) }),
  },
  {
    name: 'nul-in-path-ends-the-process',
    breaks: 'robustness.odd-ids',
    sentence: 'A NUL character in an ID crashes a C library, and the process ends without an answer.',
    alter: (rules) => ({
      breaks: (status, request) => (/%00/.test(request.path) ? 'reset' : rules.breaks(status, request)),
    }),
  },
  {
    name: 'odd-id-500',
    breaks: 'robustness.odd-ids',
    sentence: 'An ID with a character that the database rejects causes an exception.',
    alter: () => ({
      status: (status, { path }) => (status === 404 && /%(00|[c-f])/i.test(path) ? 500 : status),
    }),
  },
  {
    name: 'ids-padded',
    breaks: 'robustness.odd-ids',
    sentence: 'The database ignores trailing spaces, so an ID with a space after it is found.',
    alter: () => ({
      received: ({ ids, ...request }) => ({
        ...request,
        ids: {
          organizationId: ids.organizationId.trimEnd(),
          sourceId: ids.sourceId.trimEnd(),
          chatId: ids.chatId.trimEnd(),
          accountId: ids.accountId.trimEnd(),
        },
      }),
    }),
  },
  {
    name: 'account-by-beginning',
    breaks: 'robustness.odd-ids',
    sentence: 'An ID is cast to the type of its column, which drops letters after it.',
    alter: () => ({
      accountId: (id, _request, all) =>
        all.find((known) => id.startsWith(known) && /^[a-z]+$/i.test(id.slice(known.length))) ?? id,
    }),
  },
  {
    name: 'filter-is-a-pattern',
    breaks: 'robustness.odd-ids',
    sentence: 'The data source of a filter is found with LIKE, so % matches any data source.',
    alter: () => ({ filter: (given) => (given === '%' ? undefined : given) }),
  },
  {
    name: 'error-pasted-together',
    breaks: 'robustness.json',
    sentence: 'The detail of an error repeats the ID without escaping, so a quotation mark ends the string.',
    alter: () => ({
      bodyText: (text, { ids }, status) => {
        const asked = Object.values(ids).find((id) => id.includes('"'));
        return asked === undefined || status < 400 ? text : text.replace(/"detail": *"/, (name) => `${name}${asked}: `);
      },
    }),
  },
  {
    name: 'names-twice',
    breaks: 'robustness.unique-names',
    sentence: 'The pagination object contains hasMore twice.',
    alter: () => ({
      bodyText: (text) => text.replace(/"pagination": *\{/, '"pagination":{"hasMore":false,'),
    }),
  },
];
