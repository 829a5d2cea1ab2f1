import type { Request } from '../../http/request.ts';
import { faultsOf } from '../shared/faults-of.ts';

/** What the cookie named session holds, if it is of this form. */
function sessionIn({ headers }: Request, form: RegExp): string | undefined {
  const session = /(?:^|; )session=([^;]*)/.exec(headers['cookie'] ?? '')?.[1];
  return session !== undefined && form.test(session) ? decodeURIComponent(session) : undefined;
}

export const sessionFaults = faultsOf({
  'auth.no-key': {
    'session-in-a-cookie': {
      sentence: 'An answer to a valid key opens a session, whose cookie replaces the key of later requests.',
      alter: (rules) => {
        const sessions: string[] = [];
        return {
          credentialHeader: (request) => {
            return rules.credentialHeader(request) ?? sessions[Number(sessionIn(request, /^\d+$/) ?? Number.NaN)];
          },
          headers: (status, request) => {
            const { authorization } = request.headers;
            if (authorization === undefined || status === 401) return rules.headers(status, request);
            if (!sessions.includes(authorization)) sessions.push(authorization);
            const cookie = `session=${sessions.indexOf(authorization)}; Path=/; HttpOnly`;
            return { ...rules.headers(status, request), 'set-cookie': cookie };
          },
        };
      },
    },
  },
  'auth.wrong-scheme': {
    'key-as-session': {
      sentence:
        'Without an Authorization header, the cookie that names a session of the web app may hold a key instead.',
      alter: (rules) => ({
        credentialHeader: (request) => {
          const key = sessionIn(request, /^\D/);
          return rules.credentialHeader(request) ?? (key === undefined ? undefined : `Bearer ${key}`);
        },
      }),
    },
  },
});
