import type { Choice } from '../variation.ts';
import { refusedWith } from './refused-with.ts';

const unknown = ['unknownOrganization', 'unknownSource', 'unknownChat', 'unknownAccount', 'unknownAttached'] as const;
const invalid = ['invalidMessage', 'invalidWait', 'invalidKey', 'missingKey', 'invalidAttached'] as const;
const malformed = ['malformedBody', 'wrongMediaType'] as const;

/** The 4xx of a refusal where the specification shows none, and the form of errors. */
export const errorChoices: readonly Choice[] = [
  {
    axis: 'denied-status',
    section: '4.4',
    sentence: 'The status of a denied request, except for the list of models.',
    default: '404',
    values: { '404': {}, '403': refusedWith(403, 'denied') },
  },
  {
    axis: 'unknown-status',
    section: '4.4',
    sentence: 'The status of a request for something that does not exist, except for the list of models.',
    default: '404',
    values: {
      '404': {},
      '400': refusedWith(400, ...unknown),
      '403': refusedWith(403, ...unknown),
      '410': refusedWith(410, ...unknown),
      '422': refusedWith(422, ...unknown),
    },
  },
  {
    axis: 'invalid-status',
    section: '4.2',
    sentence: 'The status of a request with an invalid value.',
    default: '400',
    values: {
      '400': {},
      '422': refusedWith(422, ...invalid, 'invalidLimit', 'invalidQuery'),
      '413': refusedWith(413, ...invalid),
      '404': refusedWith(404, ...invalid, 'invalidLimit', 'invalidQuery'),
    },
  },
  {
    axis: 'malformed-status',
    section: '4.2',
    sentence: 'The status of a request whose body or content type is not JSON.',
    default: '400-415',
    values: { '400-415': {}, '400': refusedWith(400, ...malformed), '422': refusedWith(422, ...malformed) },
  },
  {
    axis: 'json-reading',
    section: '1',
    sentence: 'Whether a JSON body without its closing brace is accepted.',
    default: 'strict',
    values: {
      strict: {},
      lenient: { alter: () => ({ jsonText: (body) => (/^\{[^}]*$/.test(body) ? `${body}}` : body) }) },
    },
  },
  {
    axis: 'media-type',
    section: '4.2',
    sentence: 'Whether a JSON body requires a JSON content type.',
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
    sentence: 'Which value of a repeated query parameter is used.',
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
    sentence: 'The title of an error that is not a rate-limit error.',
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
      long: { alter: () => ({ refusalDetail: (kind) => `Das geht nicht: ${kind}. `.repeat(40) }) },
    },
  },
  {
    axis: 'error-extras',
    section: '2.7',
    sentence: 'Additional fields of an error.',
    default: 'none',
    values: {
      none: {},
      'request-id': {
        alter: () => ({ error: (error, { turn }, kind) => ({ ...error, requestId: `req_${turn}`, code: kind }) }),
      },
      issues: {
        alter: () => ({
          error: (error, _request, kind) => ({ ...error, issues: [{ path: ['x'], message: kind }], meta: null }),
        }),
      },
    },
  },
];
