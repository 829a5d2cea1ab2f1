import { afterOutages } from '../shared/after-outages.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';
import { first } from '../shared/values.ts';

/** How long what was lost in an outage stays lost, in milliseconds. */
const coldMs = 20_000;

/** What every reader meets once an outage is over. */
export const readAfterOutageFaults = faultsOf({
  'auth.unknown-key': {
    'keys-unchecked-after-outage': {
      sentence:
        'For 20 s after an outage any key is accepted, because the service that knows the keys is not back yet.',
      alter: afterOutages(({ isOver }, rules) => ({
        callerOfToken: (token, callers, request) =>
          rules.callerOfToken(token, callers, request) ??
          (isOver(request.at, coldMs) ? first(callers.values()) : undefined),
      })),
    },
  },
  'access.denied': {
    'roles-unchecked-after-outage': {
      sentence:
        'For 20 s after an outage everybody reads data sources, because the service that knows the roles is not back yet.',
      alter: afterOutages(({ isOver }, rules) => ({
        allowed: (roles, request) =>
          rules.allowed(roles, request) || (on('listDataSources')(request) && isOver(request.at, coldMs)),
      })),
    },
  },
  'access.granted': {
    'second-admin-lost-in-outage': {
      sentence: 'After an outage only the first organization of each admin is loaded again.',
      alter: afterOutages(({ isOver }, rules) => ({
        isAdmin: (caller, organizationId, request) =>
          rules.isAdmin(caller, organizationId, request) &&
          (!isOver(request.at) || first(caller?.adminOf ?? []) === organizationId),
      })),
    },
  },
  'models.filter': {
    'filter-lost-in-outage': {
      sentence: 'After an outage the index of data sources is empty for a while, and a filter shows all models.',
      idle: { models: ['0', '1'] },
      alter: afterOutages(({ isOver }) => ({
        filter: (sourceId, request) => (isOver(request.at, coldMs) ? undefined : sourceId),
      })),
    },
  },
  'models.required-fields': {
    'field-renamed-after-outage': {
      sentence: 'After an outage another version runs, which writes reference_name.',
      idle: { models: ['0', '1'] },
      alter: afterOutages(({ isOver }) => ({
        modelShown: ({ referenceName, ...model }, request) =>
          isOver(request.at)
            ? { ...model, reference_name: referenceName ?? null }
            : { ...model, ...(referenceName === undefined ? {} : { referenceName }) },
      })),
    },
  },
  'paging.any-id-is-cursor': {
    'cursor-lost-in-outage': {
      sentence: 'An outage loses the cursors that pages showed before it, and what follows them is the first page.',
      alter: afterOutages(({ isOver }) => {
        const issuedAt = new Map<unknown, number>();
        return {
          pagination: (meta, { at }) => {
            issuedAt.set(meta['nextCursor'], at);
            return meta;
          },
          pageStart: (start, request) => {
            const shownAt = issuedAt.get(request.query.get('cursor')?.[0]) ?? request.at;
            return isOver(request.at, request.at - shownAt) ? 0 : start;
          },
        };
      }),
    },
  },
});
