import type { Rules } from '../../rules/rules.ts';
import type { Altered, Fault } from '../../variation.ts';
import { alsoAllowed, carriedOut, losingModels } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on, type When } from '../shared/requests.ts';

/** For deletions by members, who are admin of no organization, in the one that is read first. */
function ofMembers(alter: (isMembers: When, rules: Rules) => Altered): Fault['alter'] {
  return (rules) => {
    let organization: string | undefined;
    const isMembers: When = ({ caller, ids }) => caller?.adminOf.size === 0 && ids.organizationId === organization;
    return {
      models: (items, { ids }) => {
        organization ??= ids.organizationId;
        return items;
      },
      ...alter(isMembers, rules),
    };
  };
}

export const deniedWriteFaults = faultsOf({
  'access.denied': {
    'deletion-in-the-default-organization': {
      sentence:
        'Admins of an organization with data sources may delete those of the one that was read first, a default.',
      idle: { sources: ['0', '1', '3'] },
      alter: (rules) => {
        const withSources = new Set<string>();
        return {
          sources(items, { ids }) {
            if (items.length > 0) withSources.add(ids.organizationId);
            return items;
          },
          ...alsoAllowed('deleteDataSource', ({ caller, ids }) => {
            const [first] = withSources;
            return ids.organizationId === first && [...(caller?.adminOf ?? [])].some((id) => withSources.has(id));
          })(rules),
        };
      },
    },
    'members-delete': {
      sentence: 'The role is not read for deletions, so the members of an organization may delete its data sources.',
      idle: { sources: ['0', '1', '3'] },
      alter: ofMembers((isMembers, rules) => alsoAllowed('deleteDataSource', isMembers)(rules)),
    },
  },
  'access.denied-no-effect': {
    'denied-deletion-happens': {
      sentence: 'A denied deletion is carried out, because the role is checked only when the answer is written.',
      alter: carriedOut('denied', on('deleteDataSource')),
    },
    'denied-deletion-of-members-happens': {
      sentence: 'A deletion by a member who is no admin is refused, but the job that makes it has begun.',
      idle: { sources: ['0', '1', '3'] },
      alter: ofMembers((isMembers) => ({
        carriedOut: (acts, request, { kind }) =>
          acts || (kind === 'denied' && on('deleteDataSource')(request) && isMembers(request)),
      })),
    },
    'denied-deletion-of-members-queued': {
      sentence:
        'A deletion by a member who is no admin is put in a queue before it is refused, and made five seconds later.',
      idle: { sources: ['0', '1', '3'] },
      alter: ofMembers((isMembers) => {
        const refusedAt = new Map<string, number>();
        return {
          onRefused: ({ kind }, request) => {
            if (kind === 'denied' && on('deleteDataSource')(request) && isMembers(request))
              refusedAt.set(request.ids.sourceId, request.at);
          },
          sources: (items, { at }) => items.filter(({ id }) => !(at > (refusedAt.get(id) ?? at) + 5000)),
        };
      }),
    },
    'denied-deletion-cascades': {
      sentence: 'A deletion removes the models before it checks the role of the caller.',
      alter: losingModels('denied'),
    },
    'denied-deletion-edits': {
      sentence: 'A deletion clears the host of a data source before it checks the role of the caller.',
      idle: { sources: ['0', '1'] },
      alter: () => {
        const cleared = new Set<string>();
        return {
          onRefused: ({ kind }, request) => {
            if (kind === 'denied' && on('deleteDataSource')(request)) cleared.add(request.ids.sourceId);
          },
          sourceShown: (source) => (cleared.has(String(source['id'])) ? { ...source, host: '' } : source),
        };
      },
    },
    'denied-attachment-happens': {
      sentence: 'A denied attachment is counted, because the transaction is not rolled back.',
      // A copy that lags shows it only when the next one is refused: attach.refused-no-effect.
      idle: { 'count-copies': ['one-a-moment-later', 'one-later'] },
      alter: carriedOut('denied', on('attachOrganization')),
    },
    'denied-attachment-marks': {
      sentence:
        'A denied attachment marks the organization as paid, so the attachment that follows finds nothing to do.',
      alter: () => {
        const marked = new Set<string>();
        return {
          onRefused: ({ kind, subject }, request) => {
            if (kind === 'denied' && on('attachOrganization')(request)) marked.add(subject);
          },
          attachmentCounts: (counts, _request, id) => counts && !marked.has(id),
        };
      },
    },
    'denied-attachment-rolls-back': {
      sentence:
        'A denied attachment rolls back the transaction of the connection, which includes the attachment before.',
      alter: (rules) => {
        const undone = new Map<string, number>();
        let latest: string | undefined;
        return {
          onAttached: (id, { ids }, before) => {
            if (!before.includes(id)) latest = ids.accountId;
          },
          onRefused: ({ kind }, request) => {
            if (kind !== 'denied' || !on('attachOrganization')(request) || latest === undefined) return;
            undone.set(latest, (undone.get(latest) ?? 0) + 1);
            latest = undefined;
          },
          organizationCount: (owner, attachments, request) =>
            rules.organizationCount(owner, attachments, request) - (undone.get(request.ids.accountId) ?? 0),
        };
      },
    },
    'denied-attachment-queued': {
      sentence: 'An attachment is queued before the roles are checked, and the queue is worked off after five seconds.',
      idle: { 'attachable-to-first': ['5', '2'] }, // Every organization of the account is attached by then.
      alter: (rules) => {
        const queued = new Map<string, number>();
        return {
          onRefused: ({ kind, subject }, request) => {
            if (kind === 'denied' && on('attachOrganization')(request)) queued.set(subject, request.at + 5000);
          },
          organizationCount: (owner, attachments, request) => {
            const late = [...queued].filter(([, at]) => at <= request.at).map(([id]) => id);
            return rules.organizationCount(owner, [...attachments, ...late], request);
          },
        };
      },
    },
  },
});
