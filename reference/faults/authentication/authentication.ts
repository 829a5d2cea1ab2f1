import type { Caller, Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { jsonIn, stringAt } from '../../../core/json.ts';
import { refusedAs, refusedWith } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { hasCursor, keyOf, on } from '../shared/requests.ts';
import { first, isJson } from '../shared/values.ts';

/** Where there is no credential, the key is read from another place. */
function keyFrom(place: (request: Request) => string | undefined): Fault['alter'] {
  return (rules) => ({
    credentialHeader: (request) => {
      const key = place(request);
      return rules.credentialHeader(request) ?? (key === undefined ? undefined : `Bearer ${key}`);
    },
  });
}

export const authenticationFaults = faultsOf({
  'auth.no-key': {
    'anonymous-is-admin': {
      sentence: 'A request without a key runs as the first account of the table.',
      alter: (rules) => ({
        caller: (caller, request, callers) =>
          rules.credentialHeader(request) === undefined ? first(callers.values()) : caller,
      }),
    },
    'billing-without-key': {
      sentence: 'The billing route is registered before the middleware that checks the key.',
      alter: (rules) => ({
        caller: (caller, request, callers) =>
          on('getBillingAccount')(request) && rules.credentialHeader(request) === undefined
            ? callers.values().find(({ adminOf }) => adminOf.size > 1)
            : caller,
      }),
    },
    'no-key-after-cursor': {
      sentence: 'The export of later pages is registered before the middleware that checks the key.',
      alter: () => ({ caller: (caller, request, callers) => (hasCursor(request) ? first(callers.values()) : caller) }),
    },
    'no-key-400': {
      sentence: 'A missing Authorization header is answered 400 as a validation error.',
      alter: (rules) =>
        refusedWith(400, 'unauthenticated', (request) => rules.credentialHeader(request) === undefined)(rules),
    },
    'query-validated-before-key': {
      sentence: 'The parameters of a query are validated before the key is checked.',
      alter: (rules) =>
        refusedWith(
          400,
          'unauthenticated',
          (request) => !rules.limitInRange(rules.readLimit(request.query.get('limit')?.[0], request), request),
        )(rules),
    },
    'browser-sent-to-login': {
      sentence: 'A browser without a key is redirected to the login page.',
      alter: refusedWith(302, 'unauthenticated', ({ headers }) => (headers['accept'] ?? '').startsWith('text/html')),
    },
    'length-checked-before-key': {
      sentence: 'A message that is too long is refused before the key is checked.',
      alter: refusedWith(400, 'unauthenticated', ({ body }) => isJson(body) && body.length > 10_000),
    },
    'body-parsed-before-key': {
      sentence: 'A body that is not JSON is refused by the parser, before the key is checked.',
      alter: refusedWith(400, 'unauthenticated', ({ body }) => body !== '' && !isJson(body)),
    },
  },
  'auth.unknown-key': {
    'missing-key-is-a-word': {
      sentence: 'The keys of accounts without one are stored as the word undefined or null.',
      alter: (rules) => ({
        callerOfToken: (token, callers, request) =>
          /^(null|undefined)$/.test(token) ? first(callers.values()) : rules.callerOfToken(token, callers, request),
      }),
    },
    'unknown-key-is-guest': {
      sentence: 'A request with an unknown key runs as a guest of the first account.',
      alter: (rules) => ({
        callerOfToken: (token, callers, request) =>
          rules.callerOfToken(token, callers, request) ?? (token === '' ? undefined : first(callers.values())),
      }),
    },
    'unknown-key-403': {
      sentence: 'Listing data sources with a well-formed but unknown key is answered 403.',
      alter: (rules) =>
        refusedWith(
          403,
          'unauthenticated',
          (request) => on('listDataSources')(request) && (rules.credentialHeader(request) ?? '').length > 20,
        )(rules),
    },
    'accented-key-breaks-comparison': {
      sentence:
        'The comparison in constant time takes only ASCII, so a key with another letter causes an internal error.',
      alter: (rules) =>
        refusedWith(500, 'unauthenticated', (request) => /[^\0-\x7f]/.test(rules.credentialHeader(request) ?? ''))(
          rules,
        ),
    },
    'repetition-before-key': {
      sentence:
        'Repeated messages are answered before the API key is checked: the idempotency key identifies the caller.',
      alter: (rules) => {
        const owners = new Map<string, Caller>();
        return {
          callerOfToken: (token, callers, request) => {
            const caller = rules.callerOfToken(token, callers, request);
            const key = keyOf(request, rules);
            if (key === undefined) return caller;
            if (caller !== undefined) owners.set(key, caller);
            return caller ?? owners.get(key);
          },
        };
      },
    },
  },
  'auth.wrong-scheme': {
    'key-in-a-header-of-its-own': {
      sentence: 'Without an Authorization header, the key is read from X-API-Key.',
      alter: keyFrom(({ headers }) => headers['x-api-key']),
    },
    'key-in-the-query': {
      sentence:
        'Without an Authorization header, the key is read from the parameter api_key, so that links work in a browser.',
      alter: keyFrom(({ query }) => query.get('api_key')?.[0]),
    },
    'key-in-a-cookie': {
      sentence: 'Without an Authorization header, the key is read from the cookie of the web app.',
      alter: keyFrom(({ headers }) => {
        const cookie = /(?:^|; )token=([^;]*)/.exec(headers['cookie'] ?? '')?.[1];
        return cookie === undefined ? undefined : decodeURIComponent(cookie);
      }),
    },
    'key-in-the-body': {
      sentence:
        'Without an Authorization header, the key of a message or an attachment is read from the field apiKey of its body.',
      alter: keyFrom(({ body }) => stringAt(jsonIn(body), 'apiKey')),
    },
    'any-scheme': {
      sentence: 'The token is read after the first space, and any scheme before it is accepted.',
      alter: () => ({ schemeAccepted: () => true }),
    },
    'scheme-by-its-beginning': {
      sentence: 'Any scheme that begins with Bearer is accepted.',
      alter: () => ({ schemeAccepted: (scheme) => /^bearer/i.test(scheme) }),
    },
    'basic-scheme-too': {
      sentence: 'The scheme Basic of the previous version is still accepted.',
      alter: (rules) => ({
        schemeAccepted: (scheme, request) => scheme.toLowerCase() === 'basic' || rules.schemeAccepted(scheme, request),
      }),
    },
    'scheme-left-out': {
      sentence: 'A header without the scheme Bearer is accepted: all of it is read as the key.',
      alter: (rules) => ({
        credential: (header, request) =>
          header.includes(' ') ? rules.credential(header, request) : { scheme: 'Bearer', token: header },
      }),
    },
    'key-as-password': {
      sentence: 'The password of the scheme Basic is accepted as the key, so that browsers can be used.',
      alter: (rules) => ({
        credential: (header, request) => {
          const { scheme, token } = rules.credential(header, request);
          const [, password] = Buffer.from(token, 'base64').toString().split(':');
          return scheme === 'Basic' && password !== undefined
            ? { scheme: 'Bearer', token: password }
            : { scheme, token };
        },
      }),
    },
  },
  'auth.empty-token': {
    'empty-token-matches-all': {
      sentence: 'An empty token matches the first row, because the query looks for keys that begin with it.',
      alter: (rules) => ({
        callerOfToken: (token, callers, request) =>
          token === '' ? first(callers.values()) : rules.callerOfToken(token, callers, request),
      }),
    },
    'empty-token-400': {
      sentence: 'A Bearer header without a token is answered 400 as malformed.',
      alter: (rules) =>
        refusedWith(400, 'unauthenticated', (request) => /^bearer *$/i.test(rules.credentialHeader(request) ?? 'none'))(
          rules,
        ),
    },
  },
  'auth.error-body': {
    '401-flat-message': {
      sentence: 'The gateway answers 401 with {"message": …} instead of the error body.',
      alter: refusedAs(() => ({ message: 'Unauthorized' }), 'unauthenticated'),
    },
    '401-without-detail': {
      sentence: 'The 401 answer to a deletion has a title but no detail.',
      alter: refusedAs(() => ({ error: { title: 'Unauthorized' } }), 'unauthenticated', on('deleteDataSource')),
    },
  },
  'auth.before-lookup': {
    'lookup-before-key': {
      sentence: 'The resource is loaded before the key is checked, so an unknown one is answered 404 without a key.',
      alter: () => ({ lookupFirst: () => true }),
    },
    'chat-lookup-before-key': {
      sentence: 'The router loads the chat before the key is checked.',
      alter: () => ({ lookupFirst: (_isFirst, request) => on('sendMessage')(request) }),
    },
  },
  'auth.not-quoted': {
    'refused-key-quoted': {
      sentence: 'The detail of a 401 quotes the refused header.',
      alter: (rules) => ({
        refusalDetail: (kind, request) => {
          const header = rules.credentialHeader(request);
          return kind === 'unauthenticated' && header !== undefined
            ? `Not a valid credential: ${header}`
            : rules.refusalDetail(kind, request);
        },
      }),
    },
    'key-in-remapped-header': {
      sentence: 'The gateway copies the header Authorization of a request into the answer, under another name.',
      alter: (rules) => ({
        headers: (status, request) => {
          const header = rules.credentialHeader(request);
          const copied = header === undefined ? {} : { 'x-remapped-authorization': header };
          return { ...rules.headers(status, request), ...copied };
        },
      }),
    },
  },
  'access.granted': {
    '401-cached-by-url': {
      sentence: 'A cache stores 401 answers by URL alone, so a later request with a valid key gets 401 too.',
      alter: (rules) => {
        const refused = new Set<string>();
        return {
          callerOfToken: (token, callers, request) => {
            if (request.method !== 'GET') return rules.callerOfToken(token, callers, request);
            const url = `${request.path} ${JSON.stringify([...request.query])}`;
            const caller = refused.has(url) ? undefined : rules.callerOfToken(token, callers, request);
            if (caller === undefined) refused.add(url);
            return caller;
          },
        };
      },
    },
  },
});
