import { faultsOf } from '../shared/faults-of.ts';

export const sessionFaults = faultsOf({
  'auth.no-key': {
    'session-in-a-cookie': {
      sentence: 'An answer to a valid key opens a session, whose cookie replaces the key of later requests.',
      alter: (rules) => {
        const sessions: string[] = [];
        return {
          credentialHeader: (request) => {
            const session = /(?:^|; )session=(\d+)/.exec(request.headers['cookie'] ?? '')?.[1];
            return rules.credentialHeader(request) ?? sessions[Number(session ?? Number.NaN)];
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
});
