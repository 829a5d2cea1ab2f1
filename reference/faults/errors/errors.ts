import type { Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { detailed, refusedWith, refusedWithFields, titled } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { keyOf, on, type When } from '../shared/requests.ts';

/** A gateway answers in place of the deployment. */
function gatewayRefusing(status: number, when: When): Fault['alter'] {
  return (rules) => ({ gatewayStatus: (request) => (when(request) ? status : rules.gatewayStatus(request)) });
}

export const errorFaults = faultsOf({
  'errors.body': {
    'errors-flat': {
      sentence: 'title and detail are at the top level of the body, as in RFC 9457.',
      alter: () => ({ errorBody: (error) => error }),
    },
    'errors-in-a-list': {
      sentence: 'Validation errors are returned in a list, {"errors": […]}.',
      alter: (rules) => ({
        errorBody: (error, kind, request) =>
          kind.startsWith('invalid') ? { errors: [error] } : rules.errorBody(error, kind, request),
      }),
    },
    'mistakes-in-a-list': {
      sentence: 'Several mistakes in one query are returned in a list, {"errors": […]}.',
      alter: (rules) => ({
        errorBody: (error, kind, request) =>
          request.query.size > 2 && kind !== 'rateLimited'
            ? { errors: [error] }
            : rules.errorBody(error, kind, request),
      }),
    },
    'details-of-two-mistakes': {
      sentence: 'If both the message and its wait are invalid, detail is a list of both.',
      alter: () => ({
        error: (error, { body, query }, kind) =>
          kind.startsWith('invalid') && /"message": *""/.test(body) && query.get('wait')?.[0] === '0'
            ? { ...error, detail: [error['detail'] ?? null, 'wait must be an integer from 1 to 300'] }
            : error,
      }),
    },
    'detail-of-issues': {
      sentence: 'The detail of a refused message is a list of validation issues.',
      alter: detailed([{ path: ['message'], message: 'Required' }], 'invalidMessage'),
    },
  },
  'errors.too-large-body': {
    'long-url-refused-in-html': {
      sentence: 'The proxy answers 414 in HTML if a URL is longer than its buffer.',
      alter: gatewayRefusing(414, ({ query }) => (query.get('cursor')?.[0] ?? '').length > 8000),
    },
    'large-body-refused-in-html': {
      sentence: 'The parser of bodies answers 413 in HTML from 100 kB on.',
      alter: gatewayRefusing(413, ({ body }) => body.length > 100_000),
    },
  },
  'errors.content-type': {
    'errors-in-html': {
      sentence: 'Errors have the content type text/html.',
      alter: (rules) => ({
        headers: (status, request) =>
          status >= 400 ? { 'content-type': 'text/html; charset=utf-8' } : rules.headers(status, request),
      }),
    },
    'deletion-in-plain-text': {
      sentence: 'The answer to a deletion has the content type text/plain.',
      alter: (rules) => ({
        headers: (status, request) =>
          on('deleteDataSource')(request) && status < 300
            ? { 'content-type': 'text/plain' }
            : rules.headers(status, request),
      }),
    },
    'account-without-content-type': {
      sentence: 'A billing account is returned without a content type.',
      alter: (rules) => ({
        headers: (status, request) => (on('getBillingAccount')(request) ? {} : rules.headers(status, request)),
      }),
    },
  },
  'errors.retry-only-when-limited': {
    'retry-on-every-error': {
      sentence: 'Every error has retryAfterMs, which is 0 unless the rate limit is exceeded.',
      alter: refusedWithFields({ retryAfterMs: 0 }),
    },
    'retry-null-on-401': {
      sentence: 'A 401 answer has retryAfterMs: null.',
      alter: refusedWithFields({ retryAfterMs: null }, 'unauthenticated'),
    },
  },
  'errors.title-means-limited': {
    'limit-answered-503': {
      sentence: 'A request that exceeds the rate limit is answered 503 instead of 429.',
      alter: (rules) => ({
        refusalStatus: (kind, request) => (kind === 'rateLimited' ? 503 : rules.refusalStatus(kind, request)),
        refusalTitle: (kind, status, request) =>
          kind === 'rateLimited' ? 'RateLimitExceeded' : rules.refusalTitle(kind, status, request),
      }),
    },
    'conflict-titled-rate-limit': {
      sentence: 'The 409 of a busy chat has the title RateLimitExceeded.',
      idle: { assistant: ['at-once', 'slow-is-quick'] },
      alter: titled('RateLimitExceeded', 'conflict'),
    },
    'denial-titled-rate-limit': {
      sentence: 'A denied request gets the title RateLimitExceeded from a copied handler.',
      alter: titled('RateLimitExceeded', 'denied'),
    },
  },
  'errors.no-internals': {
    'stack-trace-in-detail': {
      sentence: 'detail contains the stack trace of the exception.',
      alter: detailed(
        'Error: not found\n    at findOne (/srv/app/src/organizations.ts:41:11)\n    at process.processTicksAndRejections',
        'unknownOrganization',
      ),
    },
    'sql-in-detail': {
      sentence: 'detail contains the SQL statement that found nothing.',
      alter: detailed(
        "no rows: SELECT * FROM data_sources WHERE id = 'x' AND deleted_at IS NULL",
        'unknownSource',
        'unknownFilter',
      ),
    },
  },
  'errors.no-5xx': {
    'invalid-limit-500': {
      sentence: 'A limit that the database rejects causes an exception.',
      alter: (rules) => ({ limitInstead: () => undefined, ...refusedWith(500, 'invalidLimit')(rules) }),
    },
    'long-key-500': {
      sentence: 'An idempotency key that is longer than its database column causes an exception.',
      alter: refusedWith(500, 'invalidKey'),
    },
    'key-after-conflict-500': {
      sentence:
        'A key that was answered 409 stays in its table without a message, and its next request causes an exception.',
      idle: { assistant: ['at-once', 'slow-is-quick'] },
      alter: (rules) => {
        const refused = new Set<string>();
        const again = new Set<number>();
        return {
          conflictUsesKey: () => true,
          received: (request) => {
            if (refused.has(keyOf(request, rules) ?? '')) again.add(request.turn);
            return request;
          },
          onRefused: ({ kind }, request) => {
            const key = keyOf(request, rules);
            if (kind === 'conflict' && key !== undefined) refused.add(key);
          },
          status: (status, { turn }) => (status === 409 && again.has(turn) ? 500 : status),
        };
      },
    },
    'foreign-cursor-500': {
      sentence: 'A cursor that is the ID of an item of another organization causes an exception.',
      // In such a deployment, each organization has the same IDs.
      idle: { ids: ['per-organization'] },
      alter: (rules) => {
        const seen = new Map<string, string>();
        const isForeign = ({ ids, query }: Request) =>
          (seen.get(query.get('cursor')?.[0] ?? '') ?? ids.organizationId) !== ids.organizationId;
        return {
          pageItems: (items, { ids }) => {
            for (const { id } of items) seen.set(id, ids.organizationId);
            return items;
          },
          unknownCursor: (cursor, request) => (isForeign(request) ? 'refuse' : rules.unknownCursor(cursor, request)),
          ...refusedWith(500, 'unknownCursor', isForeign)(rules),
        };
      },
    },
    'empty-filter-500': {
      sentence: 'A filter without a value is no ID for the database and causes an exception.',
      alter: () => ({
        status: (status, { query }) => (query.get('databaseConnectionId')?.[0] === '' ? 500 : status),
      }),
    },
    'list-for-a-parameter-500': {
      sentence: 'A parameter name that ends in brackets is parsed as a list and causes an exception.',
      alter: () => ({ status: (status, { query }) => (query.has('limit[]') ? 500 : status) }),
    },
  },
  'robustness.json': {
    'error-pasted-together': {
      sentence: 'The detail of an error repeats the ID without escaping, so a quotation mark ends the string.',
      alter: () => ({
        bodyText: (text, { ids }, status) => {
          const asked = Object.values(ids).find((id) => id.includes('"'));
          return asked === undefined || status < 400
            ? text
            : text.replace(/"detail": *"/, (name) => `${name}${asked}: `);
        },
      }),
    },
  },
  'robustness.unique-names': {
    'names-twice-in-sources': {
      sentence: 'Each data source contains displayName twice: the inherited field and its own.',
      idle: { sources: ['0'] },
      alter: () => ({
        bodyText: (text, request) =>
          request.operation === 'listDataSources'
            ? text.replaceAll('"displayName":', '"displayName":null,"displayName":')
            : text,
      }),
    },
    'names-twice': {
      sentence: 'The pagination object contains hasMore twice.',
      alter: () => ({
        bodyText: (text) => text.replace(/"pagination": *\{/, '"pagination":{"hasMore":false,'),
      }),
    },
  },
});
