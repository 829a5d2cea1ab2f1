import type { RefusalKind } from '../http/request.ts';
import type { Choice, Variation } from '../variation.ts';

/** Refuses certain kinds with another status, but never where section 4.1 or 5 gives one. */
function statusOf(status: number, ...kinds: readonly RefusalKind[]): Variation {
  return {
    alter: (rules) => ({
      refusalStatus: (kind, request) => {
        const given = request.operation === 'listModels' && (kind === 'denied' || kind.startsWith('unknownOrg'));
        return kinds.includes(kind) && !given ? status : rules.refusalStatus(kind, request);
      },
    }),
  };
}

const unknown = ['unknownOrganization', 'unknownSource', 'unknownChat', 'unknownAccount', 'unknownAttached'] as const;
const invalid = ['invalidMessage', 'invalidWait', 'invalidKey', 'missingKey', 'invalidAttached'] as const;
const malformed = ['malformedBody', 'wrongMediaType'] as const;

/** Which 4xx a refusal gets, where the specification shows none. */
export const refusalChoices: readonly Choice[] = [
  {
    axis: 'denied-status',
    section: '4.4',
    sentence: 'The status of a denied request, but for the list of models.',
    default: '404',
    values: { '404': {}, '403': statusOf(403, 'denied') },
  },
  {
    axis: 'unknown-status',
    section: '4.4',
    sentence: 'The status of a request for what does not exist, but for the list of models.',
    default: '404',
    values: {
      '404': {},
      '400': statusOf(400, ...unknown),
      '403': statusOf(403, ...unknown),
      '410': statusOf(410, ...unknown),
      '422': statusOf(422, ...unknown),
    },
  },
  {
    axis: 'invalid-status',
    section: '4.2',
    sentence: 'The status of a request that breaks a limit or a type.',
    default: '400',
    values: {
      '400': {},
      '422': statusOf(422, ...invalid, 'invalidLimit', 'invalidQuery'),
      '413': statusOf(413, ...invalid),
      '404': statusOf(404, ...invalid),
    },
  },
  {
    axis: 'malformed-status',
    section: '4.2',
    sentence: 'The status of a body that is no JSON, or does not say that it is.',
    default: '400-415',
    values: { '400-415': {}, '400': statusOf(400, ...malformed), '422': statusOf(422, ...malformed) },
  },
  {
    axis: 'json-reading',
    section: '1',
    sentence: 'Whether a body that lacks the end of its JSON is read all the same.',
    default: 'strict',
    values: {
      strict: {},
      lenient: { alter: () => ({ jsonRead: (body) => (/^\{[^}]*$/.test(body) ? `${body}}` : body) }) },
    },
  },
  {
    axis: 'media-type',
    section: '4.2',
    sentence: 'Whether a JSON body needs a JSON content type.',
    default: 'asked',
    values: { asked: {}, ignored: { alter: () => ({ mediaTypeAccepted: () => true }) } },
  },
  {
    axis: 'scheme-case',
    section: '5',
    sentence: 'Whether the scheme Bearer may be written in another case.',
    default: 'any',
    values: { any: {}, exact: { alter: () => ({ schemeAccepted: (scheme) => scheme === 'Bearer' }) } },
  },
  {
    axis: 'repeated-query',
    section: '4.1',
    sentence: 'Which value of a repeated query parameter counts.',
    default: 'first',
    values: {
      first: {},
      last: { alter: () => ({ repeated: (values) => values.at(-1) }) },
      refused: { alter: () => ({ repeated: () => undefined }) },
    },
  },
  {
    axis: 'error-titles',
    section: '7',
    sentence: 'The title of an error that is no rate limit.',
    default: 'words',
    values: {
      words: {},
      codes: {
        alter: (rules) => ({
          refusalTitle: (kind, status, request) =>
            kind === 'rateLimited' ? rules.refusalTitle(kind, status, request) : `E_${status}`,
        }),
      },
      kinds: {
        alter: (rules) => ({
          refusalTitle: (kind, status, request) =>
            kind === 'rateLimited' ? rules.refusalTitle(kind, status, request) : `urn:problem:${kind}`,
        }),
      },
      empty: {
        alter: (rules) => ({
          refusalTitle: (kind, status, request) =>
            kind === 'rateLimited' ? rules.refusalTitle(kind, status, request) : '',
        }),
      },
    },
  },
  {
    axis: 'error-details',
    section: '7',
    sentence: 'The detail of an error.',
    default: 'sentence',
    values: {
      sentence: {},
      empty: { alter: () => ({ refusalDetail: () => '' }) },
      long: { alter: () => ({ refusalDetail: (why) => `Das geht nicht: ${why.kind}. `.repeat(40) }) },
    },
  },
  {
    axis: 'error-extras',
    section: '2.7',
    sentence: 'Fields of an error body beside title and detail.',
    default: 'none',
    values: {
      none: {},
      'request-id': {
        alter: (rules) => ({
          errorBody: (error, kind, request) =>
            rules.errorBody({ ...error, requestId: `req_${request.turn}`, code: kind }, kind, request),
        }),
      },
      issues: {
        alter: (rules) => ({
          errorBody: (error, kind, request) =>
            rules.errorBody({ ...error, issues: [{ path: ['x'], message: kind }], meta: null }, kind, request),
        }),
      },
    },
  },
];
