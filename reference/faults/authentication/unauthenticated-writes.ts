import { carriedOut, losingModels } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { keyOf, on } from '../shared/requests.ts';

export const unauthenticatedWriteFaults = faultsOf({
  'auth.no-effect': {
    '401-after-effect': {
      sentence: 'The key is checked only when the answer is written, after the write has happened.',
      alter: carriedOut('unauthenticated'),
    },
    '401-after-deletion': {
      sentence: 'A deletion without a key is answered 401 but carried out.',
      alter: carriedOut('unauthenticated', on('deleteDataSource')),
    },
    '401-kept-for-the-key': {
      sentence: 'The answer to a request is kept for its idempotency key, even if it is a 401.',
      alter: (rules) => {
        const kept = new Set<string>();
        return {
          onRefused: ({ kind }, request) => {
            const key = keyOf(request, rules);
            if (kind === 'unauthenticated' && key !== undefined) kept.add(key);
          },
          caller: (caller, request) => (kept.has(keyOf(request, rules) ?? '') ? undefined : caller),
        };
      },
    },
    '401-after-cascade': {
      sentence: 'A deletion without a key is answered 401 and keeps the data source, but removes its models.',
      alter: losingModels('unauthenticated'),
    },
  },
});
