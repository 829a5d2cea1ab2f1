import type { Json } from '../../http/json.ts';
import type { Fault } from '../../variation.ts';

export const errorFaults: readonly Fault[] = [
  {
    name: 'errors-flat',
    breaks: 'errors.body',
    sentence: 'title and detail stand at the top of the body, as RFC 9457 has them.',
    alter: () => ({ errorBody: (error) => error }),
  },
  {
    name: 'errors-in-a-list',
    breaks: 'errors.body',
    sentence: 'Validation errors come in a list, {"errors": […]}.',
    alter: (rules) => ({
      errorBody: (error, kind, request) =>
        kind.startsWith('invalid') ? { errors: [error] } : rules.errorBody(error, kind, request),
    }),
  },
  {
    name: 'detail-of-issues',
    breaks: 'errors.body',
    sentence: 'detail of a refused message is the list of issues of the validator.',
    alter: (rules) => ({
      refusalDetail: (why, hidden, request): Json =>
        why.kind === 'invalidMessage'
          ? [{ path: ['message'], message: 'Required' }]
          : rules.refusalDetail(why, hidden, request),
    }),
  },
  {
    name: 'errors-in-html',
    breaks: 'errors.content-type',
    sentence: 'Errors have the content type of a page.',
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
        request.operation === 'deleteDataSource' && status < 300
          ? { 'content-type': 'text/plain' }
          : rules.headers(status, request),
    }),
  },
  {
    name: 'account-without-content-type',
    breaks: 'errors.content-type',
    sentence: 'A billing account comes without a content type.',
    alter: (rules) => ({
      headers: (status, request) => (request.operation === 'getBillingAccount' ? {} : rules.headers(status, request)),
    }),
  },
  {
    name: 'retry-on-every-error',
    breaks: 'errors.retry-only-when-limited',
    sentence: 'Every error has retryAfterMs, 0 where nothing is to be waited for.',
    alter: (rules) => ({
      errorBody: (error, kind, request) => rules.errorBody({ retryAfterMs: 0, ...error }, kind, request),
    }),
  },
  {
    name: 'retry-null-on-401',
    breaks: 'errors.retry-only-when-limited',
    sentence: 'A 401 answer has retryAfterMs: null.',
    alter: (rules) => ({
      errorBody: (error, kind, request) =>
        rules.errorBody(kind === 'unauthenticated' ? { ...error, retryAfterMs: null } : error, kind, request),
    }),
  },
  {
    name: 'conflict-titled-rate-limit',
    breaks: 'errors.title-means-limited',
    sentence: 'The 409 of a busy chat has the title RateLimitExceeded.',
    idle: { assistant: ['at-once', 'slow-is-quick'] },
    alter: (rules) => ({
      refusalTitle: (kind, status, request) =>
        kind === 'conflict' ? 'RateLimitExceeded' : rules.refusalTitle(kind, status, request),
    }),
  },
  {
    name: 'denial-titled-rate-limit',
    breaks: 'errors.title-means-limited',
    sentence: 'Who is denied is told RateLimitExceeded, from a handler copied for both.',
    alter: (rules) => ({
      refusalTitle: (kind, status, request) =>
        kind === 'denied' ? 'RateLimitExceeded' : rules.refusalTitle(kind, status, request),
    }),
  },
  {
    name: 'stack-trace-in-detail',
    breaks: 'errors.no-internals',
    sentence: 'detail has the stack trace of the exception.',
    alter: (rules) => ({
      refusalDetail: (why, hidden, request) =>
        why.kind === 'unknownOrganization'
          ? 'Error: not found\n    at findOne (/srv/app/src/organizations.ts:41:11)\n    at process.processTicksAndRejections'
          : rules.refusalDetail(why, hidden, request),
    }),
  },
  {
    name: 'sql-in-detail',
    breaks: 'errors.no-internals',
    sentence: 'detail has the statement that found nothing.',
    alter: (rules) => ({
      refusalDetail: (why, hidden, request) =>
        why.kind === 'unknownSource' || why.kind === 'unknownFilter'
          ? "no rows: SELECT * FROM data_sources WHERE id = 'x' AND deleted_at IS NULL"
          : rules.refusalDetail(why, hidden, request),
    }),
  },
  {
    name: 'invalid-limit-500',
    breaks: 'errors.no-5xx',
    sentence: 'A limit that the database refuses ends in an exception.',
    alter: (rules) => ({
      limitInstead: () => undefined,
      refusalStatus: (kind, request) => (kind === 'invalidLimit' ? 500 : rules.refusalStatus(kind, request)),
    }),
  },
  {
    name: 'long-key-500',
    breaks: 'errors.no-5xx',
    sentence: 'An idempotency key that is longer than its column ends in an exception.',
    alter: (rules) => ({
      refusalStatus: (kind, request) => (kind === 'invalidKey' ? 500 : rules.refusalStatus(kind, request)),
    }),
  },
  {
    name: 'list-for-a-parameter-500',
    breaks: 'errors.no-5xx',
    sentence: 'A name that ends in brackets makes a list of its value, which nobody has reckoned with.',
    alter: (rules) => ({
      answerStatus: (status, request) => (request.query.has('limit[]') ? 500 : rules.answerStatus(status, request)),
    }),
  },
  {
    name: 'nul-in-path-ends-the-process',
    breaks: 'robustness.odd-ids',
    sentence: 'A library in C takes NUL for the end of an ID, and the process ends without an answer.',
    alter: (rules) => ({
      breaks: (status, request) => (/%00/.test(request.path) ? 'reset' : rules.breaks(status, request)),
    }),
  },
  {
    name: 'odd-id-500',
    breaks: 'robustness.odd-ids',
    sentence: 'An ID with a character that the database does not take ends in an exception.',
    alter: (rules) => ({
      answerStatus: (status, request) =>
        status === 404 && /%(00|[c-f])/i.test(request.path) ? 500 : rules.answerStatus(status, request),
    }),
  },
  {
    name: 'ids-padded',
    breaks: 'robustness.odd-ids',
    sentence: 'The database pads texts before it compares them, so that an ID with a space behind it is found.',
    alter: (rules) => ({ pathId: (decoded) => rules.pathId(decoded).trimEnd() }),
  },
  {
    name: 'account-by-beginning',
    breaks: 'robustness.odd-ids',
    sentence: 'An ID is cast to the type of its column, which leaves out what letters stand behind it.',
    alter: () => ({
      accountNamed: (id, all) =>
        all.find((known) => id.startsWith(known) && /^[a-z]+$/i.test(id.slice(known.length))) ?? id,
    }),
  },
  {
    name: 'filter-is-a-pattern',
    breaks: 'robustness.odd-ids',
    sentence: 'The data source of a filter is looked for with LIKE, so that % is any.',
    alter: (rules) => ({
      readFilter: (given, cursor, request) => (given === '%' ? undefined : rules.readFilter(given, cursor, request)),
    }),
  },
  {
    name: 'error-pasted-together',
    breaks: 'robustness.json',
    sentence: 'The detail of an error repeats what was asked for as it stands, and a quotation mark ends the text.',
    alter: (rules) => ({
      bodyText: (text, status, request) => {
        const asked = Object.values(request.ids).find((id) => id.includes('"'));
        const made = rules.bodyText(text, status, request);
        return asked === undefined || status < 400 ? made : made.replace(/"detail": *"/, (name) => `${name}${asked}: `);
      },
    }),
  },
  {
    name: 'names-twice',
    breaks: 'robustness.unique-names',
    sentence: 'hasMore stands twice in the pagination, once from each version.',
    alter: (rules) => ({
      bodyText: (text, status, request) =>
        rules.bodyText(text, status, request).replace(/"pagination": *\{/, '"pagination":{"hasMore":false,'),
    }),
  },
];
