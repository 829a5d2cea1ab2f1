import type { Caller } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { first } from '../shared/first.ts';
import { losingModels } from '../shared/losing-models.ts';

export const authenticationFaults: readonly Fault[] = [
  {
    name: 'anonymous-is-admin',
    breaks: 'auth.no-key',
    sentence: 'Without a key the request runs as the first account of the table.',
    alter: () => ({ anonymousCaller: (callers) => first(callers.values()) }),
  },
  {
    name: 'billing-without-key',
    breaks: 'auth.no-key',
    sentence: 'The billing route was registered before the middleware that asks for a key.',
    alter: (rules) => ({
      anonymousCaller: (callers, request) =>
        request.operation === 'getBillingAccount'
          ? callers.values().find(({ adminOf }) => adminOf.size > 1)
          : rules.anonymousCaller(callers, request),
    }),
  },
  {
    name: 'no-key-400',
    breaks: 'auth.no-key',
    sentence: 'A missing Authorization header is a validation error, 400.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        kind === 'unauthenticated' && rules.credentialHeader(request) === undefined
          ? 400
          : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'unknown-key-is-guest',
    breaks: 'auth.unknown-key',
    sentence: 'A key that is not in the table is taken for a guest of the first account.',
    alter: (rules) => ({
      callerOfToken: (token, callers, request) =>
        rules.callerOfToken(token, callers, request) ?? (token === '' ? undefined : first(callers.values())),
    }),
  },
  {
    name: 'unknown-key-403',
    breaks: 'auth.unknown-key',
    sentence: 'A well-formed key that was never issued is answered 403 on the list of data sources.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        kind === 'unauthenticated' &&
        request.operation === 'listDataSources' &&
        (rules.credentialHeader(request) ?? '').length > 20
          ? 403
          : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'any-scheme',
    breaks: 'auth.wrong-scheme',
    sentence: 'The token is cut from behind the first space, whatever the scheme before it.',
    alter: () => ({ schemeAccepted: () => true }),
  },
  {
    name: 'basic-scheme-too',
    breaks: 'auth.wrong-scheme',
    sentence: 'Basic is accepted beside Bearer, a leftover of the previous version.',
    alter: (rules) => ({
      schemeAccepted: (scheme, request) => scheme.toLowerCase() === 'basic' || rules.schemeAccepted(scheme, request),
    }),
  },
  {
    name: 'scheme-left-out',
    breaks: 'auth.wrong-scheme',
    sentence: 'Bearer is taken off the header where it stands there, and what is left is the key.',
    alter: (rules) => ({
      credential: (header, request) =>
        header.includes(' ') ? rules.credential(header, request) : { scheme: 'Bearer', token: header },
    }),
  },
  {
    name: 'key-as-password',
    breaks: 'auth.wrong-scheme',
    sentence: 'The password of Basic is taken for the key, for the sake of a browser.',
    alter: (rules) => ({
      credential: (header, request) => {
        const { scheme, token } = rules.credential(header, request);
        const [, password] = Buffer.from(token, 'base64').toString().split(':');
        return scheme === 'Basic' && password !== undefined ? { scheme: 'Bearer', token: password } : { scheme, token };
      },
    }),
  },
  {
    name: 'empty-token-matches-all',
    breaks: 'auth.empty-token',
    sentence: 'An empty token matches the first row, because the query looks for keys that begin with it.',
    alter: (rules) => ({
      callerOfToken: (token, callers, request) =>
        token === '' ? first(callers.values()) : rules.callerOfToken(token, callers, request),
    }),
  },
  {
    name: 'empty-token-400',
    breaks: 'auth.empty-token',
    sentence: 'A Bearer header without a token is a malformed header, 400.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        kind === 'unauthenticated' && /^bearer *$/i.test(rules.credentialHeader(request) ?? 'none')
          ? 400
          : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: '401-flat-message',
    breaks: 'auth.error-body',
    sentence: 'The gateway answers 401 with {"message": …}, not with the error body.',
    alter: (rules) => ({
      errorBody: (error, kind, request) =>
        kind === 'unauthenticated' ? { message: 'Unauthorized' } : rules.errorBody(error, kind, request),
    }),
  },
  {
    name: '401-without-detail',
    breaks: 'auth.error-body',
    sentence: 'The 401 answer of a deletion has a title and no detail.',
    alter: (rules) => ({
      errorBody: (error, kind, request) =>
        kind === 'unauthenticated' && request.operation === 'deleteDataSource'
          ? { error: { title: 'Unauthorized' } }
          : rules.errorBody(error, kind, request),
    }),
  },
  {
    name: 'lookup-before-key',
    breaks: 'auth.before-lookup',
    sentence: 'The resource is loaded before the key is looked at: what is not there is 404 without a key.',
    alter: () => ({ lookupBeforeKey: () => true }),
  },
  {
    name: 'repetition-before-key',
    breaks: 'auth.unknown-key',
    sentence: 'Repetitions are answered before the API key is looked up: the idempotency key says whose they are.',
    alter: (rules) => {
      const owners = new Map<string, Caller>();
      return {
        callerOfToken: (token, callers, request) => {
          const caller = rules.callerOfToken(token, callers, request);
          const key = request.headers[rules.keyHeader()];
          if (key === undefined) return caller;
          if (caller !== undefined) owners.set(key, caller);
          return caller ?? owners.get(key);
        },
      };
    },
  },
  {
    name: 'chat-lookup-before-key',
    breaks: 'auth.before-lookup',
    sentence: 'The chat is loaded by the router, before the key is looked at.',
    alter: () => ({ lookupBeforeKey: (request) => request.operation === 'sendMessage' }),
  },
  {
    name: '401-after-effect',
    breaks: 'auth.no-effect',
    sentence: 'The key is checked while the answer is written: the write has happened by then.',
    alter: () => ({ actsThoughRefused: (why) => why.kind === 'unauthenticated' }),
  },
  {
    name: '401-after-deletion',
    breaks: 'auth.no-effect',
    sentence: 'A deletion without a key is answered 401 and carried out.',
    alter: () => ({
      actsThoughRefused: (why, request) => why.kind === 'unauthenticated' && request.operation === 'deleteDataSource',
    }),
  },
  {
    name: '401-after-cascade',
    breaks: 'auth.no-effect',
    sentence: 'A deletion without a key is answered 401 and leaves the data source, but its models are gone by then.',
    alter: (rules) => losingModels(rules, (why) => why.kind === 'unauthenticated'),
  },
  {
    name: 'refused-key-quoted',
    breaks: 'auth.not-quoted',
    sentence: 'detail of a 401 quotes the header that was refused.',
    alter: (rules) => ({
      refusalDetail: (why, hidden, request) => {
        const header = rules.credentialHeader(request);
        return why.kind === 'unauthenticated' && header !== undefined
          ? `Not a valid credential: ${header}`
          : rules.refusalDetail(why, hidden, request);
      },
    }),
  },
  {
    name: '401-cached-by-url',
    breaks: 'access.granted',
    sentence:
      'A cache keeps an answer 401 by its URL alone: whoever asks next for the same gets it too, with a good key.',
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
];
