import { isFiltered } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { hasCursor, hasWait, isList, isWholePage, on, type When } from '../shared/requests.ts';
import { first } from '../shared/values.ts';

/** Such requests need no key. */
function open(when: When): Fault['alter'] {
  return (rules) => ({
    caller: (caller, request, callers) =>
      caller ?? (rules.credentialHeader(request) === undefined && when(request) ? first(callers.values()) : undefined),
  });
}

/** Such requests need a key, but not one that was issued. */
function openToAnyKey(when: When): Fault['alter'] {
  return (rules) => ({
    callerOfToken: (token, callers, request) =>
      rules.callerOfToken(token, callers, request) ??
      (token !== '' && when(request) ? first(callers.values()) : undefined),
  });
}

/** Keys that are not checked for some queries, which other code answers. */
export const uncheckedQueryFaults = faultsOf({
  'auth.no-key': {
    'bare-list-without-key': {
      sentence: 'A list without parameters is answered from a public cache, before the key is checked.',
      alter: open((request) => isList(request) && request.search === ''),
    },
    'whole-pages-without-key': {
      sentence:
        'Pages of 100 items come from an export, which is registered before the middleware that checks the key.',
      alter: open(isWholePage),
    },
  },
  'auth.unknown-key': {
    'later-pages-for-any-key': {
      sentence: 'For a page after the first, it is only checked that there is a key.',
      alter: openToAnyKey(hasCursor),
    },
    'filtered-models-for-any-key': {
      sentence: 'For a filtered list of models, it is only checked that there is a key.',
      alter: openToAnyKey(isFiltered),
    },
    'whole-pages-for-any-key': {
      sentence: 'Pages of 100 items come from an export, which only checks that there is a key.',
      alter: openToAnyKey(isWholePage),
    },
    'held-messages-for-any-key': {
      sentence: 'A message with wait goes to the service that holds requests, which only checks that there is a key.',
      alter: openToAnyKey((request) => on('sendMessage')(request) && hasWait(request)),
    },
  },
});
