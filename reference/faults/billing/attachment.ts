import type { Item } from '../../data/item.ts';
import type { Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';

/** How many times an organization is in a list. */
function occurrences(list: readonly string[], organizationId: string): number {
  return list.filter((other) => other === organizationId).length;
}

/** That list of an organization is empty once the organization is attached. */
function emptiedWhenAttached(list: 'sources' | 'models'): Fault['alter'] {
  return () => {
    const attached = new Set<string>();
    return {
      onAttached: (id) => void attached.add(id),
      [list]: (items: readonly Item[], { ids }: Request) => (attached.has(ids.organizationId) ? [] : items),
    };
  };
}

export const attachFaults = faultsOf({
  'access.attach-needs-owner-admin': {
    'attached-already-asks-no-role': {
      sentence: 'An organization that is already attached is answered before the roles are checked.',
      idle: { 'attach-again': ['refuse'] },
      alter: (rules) => {
        const attached = new Set<unknown>();
        let named: unknown;
        return {
          attachedField: (field) => {
            named = field;
            return field;
          },
          onAttached: (id) => void attached.add(id),
          allowed: (roles, request) =>
            rules.allowed(roles, request) ||
            (on('attachOrganization')(request) && roles.organization && attached.has(named)),
        };
      },
    },
  },
  'attach.data-kept': {
    'attached-sources-move-to-the-owner': {
      sentence: 'The data sources of an attached organization are moved to the owner, and no list shows them any more.',
      alter: emptiedWhenAttached('sources'),
    },
    'attached-models-need-a-plan': {
      sentence: 'The models of an attached organization are hidden until an admin accepts the new plan.',
      alter: emptiedWhenAttached('models'),
    },
  },
  'attach.success': {
    'attach-500-after-effect': {
      sentence: 'The organization is attached, but mailing the receipt fails with an exception.',
      alter: () => ({ attachStatus: () => 500 }),
    },
    'attach-first-try-500': {
      sentence:
        'The first attempt to attach an organization creates its billing record, and then ends in an exception.',
      alter: (rules) => {
        let named: unknown;
        const tried = new Set<unknown>();
        const failing = new Set<number>();
        return {
          attachedField: (field) => {
            named = field;
            return field;
          },
          attachable: (exists, { turn }) => {
            if (!exists || tried.has(named)) return exists;
            tried.add(named);
            failing.add(turn);
            return false;
          },
          refusalStatus: (kind, request) => (failing.has(request.turn) ? 500 : rules.refusalStatus(kind, request)),
        };
      },
    },
    'attach-escapes-kept': {
      sentence:
        'The parser of the body keeps escapes such as \\u006f as they are, so an ID that is written with them is unknown.',
      alter: () => ({
        jsonText: (text, request) => (on('attachOrganization')(request) ? text.replaceAll('\\u', '\\\\u') : text),
      }),
    },
    'attach-white-space-malformed': {
      sentence: 'A body for attaching is read with a pattern that allows no white space.',
      alter: () => ({
        jsonText: (text, request) => (on('attachOrganization')(request) ? text.replaceAll(/\s/g, '-') : text),
      }),
    },
    'attach-redirects': {
      sentence: 'Attaching is answered 303 with the account to read next.',
      alter: () => ({ attachStatus: () => 303 }),
    },
  },
  'attach.count': {
    'attach-uncounted': {
      sentence: 'Attaching is answered with success but does nothing.',
      alter: () => ({ attachmentCounts: () => false }),
    },
    'count-rises-with-every-third-read': {
      sentence: 'Every third read of a billing account raises its organizationCount by one.',
      alter: () => {
        const reads = new Map<string, number>();
        return {
          accountShown: (account, { ids }) => {
            const count = (reads.get(ids.accountId) ?? 0) + 1;
            reads.set(ids.accountId, count);
            return { ...account, organizationCount: Number(account['organizationCount']) + Math.floor(count / 3) };
          },
        };
      },
    },
    'count-of-one-reader': {
      sentence:
        'The organizations are joined to the admin who attached first: organizationCount is 1 for every other admin.',
      alter: () => {
        let attacher: string | undefined;
        return {
          onAttached: (_id, { caller }) => {
            attacher ??= caller?.name;
          },
          accountShown: (account, { caller }) =>
            attacher === caller?.name ? account : { ...account, organizationCount: 1 },
        };
      },
    },
    'count-without-latest-on-a-server': {
      sentence: 'One of three servers shows an attachment when the next organization is attached, and not before.',
      alter: (rules) => {
        let reads = 0;
        return {
          organizationCount: (owner, attachments, request) => {
            if (on('getBillingAccount')(request)) reads += 1;
            return rules.organizationCount(owner, reads % 3 === 0 ? attachments.slice(0, -1) : attachments, request);
          },
        };
      },
    },
    'count-without-latest-for-one-reader': {
      sentence: 'One admin gets the account from a cache, which an attachment fills with the count before it.',
      alter: (rules) => ({
        organizationCount: (owner, attachments, request) =>
          rules.organizationCount(
            owner,
            request.caller?.name === 'dave' ? attachments.slice(0, -1) : attachments,
            request,
          ),
      }),
    },
    'attach-counts-double': {
      sentence: 'Attaching is counted in the handler and again in the event.',
      alter: () => ({
        organizationCount: (owner, attachments) => 2 * new Set([owner, ...attachments]).size - 1,
      }),
    },
    'attach-count-stuck-at-two': {
      sentence: 'organizationCount is correct for the first attached organization and does not grow after it.',
      alter: (rules) => ({
        organizationCount: (owner, attachments, request) =>
          Math.min(2, rules.organizationCount(owner, attachments, request)),
      }),
    },
    'attach-counts-in-every-account': {
      sentence: 'organizationCount counts the organizations that are attached to any account.',
      alter: (rules) => {
        const attached = new Set<string>();
        return {
          onAttached: (id) => void attached.add(id),
          organizationCount: (owner, _attachments, request) => rules.organizationCount(owner, [...attached], request),
        };
      },
    },
    'attachment-counts-in-the-last-account': {
      sentence: 'What is attached is joined without the account, and counts in the last one of the table alone.',
      alter: (rules) => {
        const attached = new Set<string>();
        let last: string | undefined;
        return {
          accountId: (id, _request, all) => {
            last = all.at(-1);
            return id;
          },
          onAttached: (id) => void attached.add(id),
          organizationCount: (owner, _attachments, request) =>
            rules.organizationCount(owner, request.ids.accountId === last ? [...attached] : [], request),
        };
      },
    },
    'attachment-lapses': {
      sentence: 'An attachment waits for a confirmation that never comes, and is undone after five seconds.',
      alter: (rules) => {
        const attachedAt = new Map<string, number>();
        return {
          attachAgain: () => 'accept',
          onAttached: (id, { at }) => void attachedAt.set(id, at),
          organizationCount: (owner, attachments, request) => {
            const kept = attachments.filter((id) => request.at < (attachedAt.get(id) ?? 0) + 5000);
            return rules.organizationCount(owner, kept, request);
          },
        };
      },
    },
    'replica-missed-attachment': {
      sentence: 'A second replica, used while the first one is busy, never receives attachments.',
      alter: (rules) => {
        let busy = { at: Number.NaN, turn: 0 };
        return {
          organizationCount(owner, attachments, request) {
            if (request.at !== busy.at) busy = { at: request.at, turn: request.turn };
            return rules.organizationCount(owner, request.turn === busy.turn ? attachments : [], request);
          },
        };
      },
    },
  },
  'attach.twice': {
    'attach-again-counts': {
      sentence: 'organizationCount counts attachments instead of organizations.',
      alter: () => ({
        attachAgain: () => 'accept',
        organizationCount: (_owner, attachments) => 1 + attachments.length,
      }),
    },
    'attach-by-another-counts': {
      sentence: 'An attachment is stored under the organization and the admin who made it.',
      idle: { 'attach-again': ['refuse'], 'attachable-to-first': ['5', '2'] },
      alter: (rules) => {
        const made = new Map<string, Set<string>>();
        return {
          onAttached: (id, { caller }) => void made.set(id, (made.get(id) ?? new Set()).add(caller?.name ?? '')),
          organizationCount: (owner, attachments, request) => {
            const more = attachments.length === 0 ? [] : [...made.values()].map(({ size }) => size - 1);
            return more.reduce((sum, one) => sum + one, rules.organizationCount(owner, attachments, request));
          },
        };
      },
    },
    'attach-again-detaches': {
      sentence: 'Attaching an organization a second time detaches it.',
      alter: (rules) => ({
        attachAgain: () => 'accept',
        organizationCount(owner, attachments, request) {
          const odd = attachments.filter((id) => occurrences(attachments, id) % 2 === 1);
          return rules.organizationCount(owner, odd, request);
        },
      }),
    },
  },
});
