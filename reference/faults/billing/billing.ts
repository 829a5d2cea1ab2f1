import type { JsonObject } from '../../http/json.ts';
import type { Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { refusedAs, refusedWith, together } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';
import { first, secondOf, set } from '../shared/values.ts';

/** Billing accounts that are shown wrongly. */
function accounts(change: (account: JsonObject, request: Request) => JsonObject): Fault['alter'] {
  return () => ({ accountShown: change });
}

const providerId = set({ id: 'cus_8fJ2' });

export const billingFaults = faultsOf({
  'billing.record': {
    'account-behind-503': {
      sentence: 'The service that stores the accounts is always overloaded, and a proxy answers 503.',
      alter: () => ({ gatewayStatus: (request) => (on('getBillingAccount')(request) ? 503 : undefined) }),
    },
    'account-without-data': {
      sentence: 'The account is at the top level of the answer, not in data.',
      alter: () => ({ accountAnswer: (record) => record }),
    },
    'account-under-its-number': {
      sentence: 'The id in the answer is the ID of the payment provider.',
      alter: accounts(providerId),
    },
    'account-read-into-one-place': {
      sentence:
        'Accounts that are read at the same instant are read into one place, so that both answers show the last one.',
      idle: { 'rate-window': ['spaced'] },
      alter: (rules) => {
        let latest: string | undefined;
        return {
          paceMs(request) {
            if (!on('getBillingAccount')(request)) return rules.paceMs(request);
            latest = request.ids.accountId;
            return rules.paceMs(request) + 20;
          },
          accountShown: (account, { operation }) =>
            operation === 'getBillingAccount' && latest !== undefined ? { ...account, id: latest } : account,
        };
      },
    },
    'account-id-for-operators-alone': {
      sentence: 'One admin of the owner organization gets the ID of the payment provider instead of id.',
      alter: accounts((account, { caller }) => (caller?.name === 'dave' ? providerId(account) : account)),
    },
  },
  'billing.types': {
    'status-of-the-plan': {
      sentence: 'After an attachment, subscriptionStatus is an object that describes the plan.',
      alter: () => {
        let plan: string | undefined;
        return {
          onAttached: (organizationId) => {
            plan = organizationId;
          },
          accountShown: (account) => (plan === undefined ? account : { ...account, subscriptionStatus: { plan } }),
        };
      },
    },
    'cents-in-text': {
      sentence: 'Amounts of money are returned as strings.',
      alter: accounts(set({ aiUsageIncludedCreditsCents: '150000' })),
    },
    'cents-in-text-for-others': {
      sentence: 'Amounts of money are strings for every admin but one, whose answer is stored in another way.',
      alter: accounts((account, { caller }) =>
        caller?.name === 'alice' ? account : { ...account, aiUsageIncludedCreditsCents: '150000' },
      ),
    },
    'active-in-text-from-one-copy': {
      sentence: 'One reading in twenty comes from an old copy, where isActive is a string.',
      alter: () => {
        let readings = 0;
        return {
          accountShown: (account) => {
            readings += 1;
            return readings % 20 === 0 ? { ...account, isActive: 'true' } : account;
          },
        };
      },
    },
    'count-in-text': {
      sentence: 'organizationCount is returned as a string, as the database driver gives it.',
      alter: accounts((account) => ({ ...account, organizationCount: String(account['organizationCount']) })),
    },
  },
  'billing.whole-count': {
    'count-weighted': {
      sentence: 'organizationCount counts an organization that joined within the billing period by half.',
      alter: accounts((account) => ({ ...account, organizationCount: Number(account['organizationCount']) + 0.5 })),
    },
  },
  'billing.period-in-order': {
    'period-ends-before-it-starts': {
      sentence:
        'billingPeriodEnd is the end of the last paid period, and billingPeriodStart the beginning of the current one.',
      alter: accounts((account) => ({ ...account, billingPeriodEnd: String(account['createdAt']) })),
    },
  },
  'billing.created-once': {
    'account-created-now': {
      sentence: 'createdAt of an account has the time of the reading as its default, in whole seconds.',
      alter: accounts((account, { at }) => ({ ...account, createdAt: secondOf(at) })),
    },
    'account-created-when-attached': {
      sentence: 'An attachment writes the account again, and createdAt is then the time of the attachment.',
      alter: () => {
        let createdAt: string | undefined;
        return {
          onAttached: (_organizationId, { at }) => {
            createdAt = secondOf(at);
          },
          accountShown: (account) => (createdAt === undefined ? account : { ...account, createdAt }),
        };
      },
    },
    'account-created-in-local-time': {
      sentence: 'createdAt is in the time zone of the reader, and written as if it were UTC.',
      alter: accounts((account, { caller }) => ({
        ...account,
        createdAt: `2025-01-15T${caller?.name === 'alice' ? '12' : '13'}:00:00Z`,
      })),
    },
  },
  'billing.same-record': {
    'account-name-escaped-for-one': {
      sentence: 'One admin of the owner gets the name of the account escaped for HTML.',
      alter: accounts((account, { caller }) =>
        caller?.name === 'dave' ? { ...account, name: `${String(account['name'])} &amp;` } : account,
      ),
    },
    'account-inactive-on-a-replica': {
      sentence: 'One of three servers has an old copy of the account, in which isActive is false.',
      alter: () => {
        let readings = 0;
        return { accountShown: (account) => (readings++ % 3 === 0 ? { ...account, isActive: false } : account) };
      },
    },
  },
  'billing.owner': {
    'owner-is-reader': {
      sentence: "ownerOrganizationId is the first of the caller's own organizations.",
      alter: accounts((account, { caller }) => ({
        ...account,
        ownerOrganizationId: first(caller?.adminOf ?? []) ?? '',
      })),
    },
    'owner-is-another-of-the-reader': {
      sentence: 'ownerOrganizationId is the organization that the reader opened last, for every admin but one.',
      alter: accounts((account, { caller }) =>
        caller?.name === 'alice'
          ? account
          : { ...account, ownerOrganizationId: [...(caller?.adminOf ?? [])].at(-1) ?? '' },
      ),
    },
    'owner-is-a-name': {
      sentence: 'ownerOrganizationId is the name of the organization in capital letters, not its ID.',
      alter: accounts((account) => ({
        ...account,
        ownerOrganizationId: `${String(account['ownerOrganizationId']).toUpperCase()}_`,
      })),
    },
  },
  'attach.success': {
    'three-organizations-an-account': {
      sentence: 'An account that bills three organizations besides its owner refuses a fourth with 409.',
      alter: () => {
        const refused = new Set<number>();
        const isRefused = ({ turn }: Request): boolean => refused.has(turn);
        return {
          attachmentCounts(counts, { turn }, id, attachments) {
            const others = new Set(attachments);
            if (others.size < 3 || others.has(id)) return counts;
            refused.add(turn);
            return false;
          },
          status: (status, request) => (isRefused(request) ? 409 : status),
          bodyText: (text, request) =>
            isRefused(request)
              ? '{"error":{"title":"Conflict","detail":"The plan allows three organizations."}}'
              : text,
        };
      },
    },
  },
  'billing.unknown': {
    'unknown-account-is-first': {
      sentence: 'A billing account that does not exist is answered with the first account.',
      alter: () => ({ accountId: (id, _request, all) => (all.includes(id) ? id : (all[0] ?? id)) }),
    },
    'account-by-its-beginning': {
      sentence: 'The last character of the ID of a billing account is not compared.',
      alter: () => ({
        accountId: (id, _request, all) =>
          all.includes(id) ? id : (all.find((known) => known.slice(0, -1) === id.slice(0, -1)) ?? id),
      }),
    },
    'unknown-account-200': {
      sentence: 'A billing account that does not exist is answered 200 with null.',
      alter: together(
        refusedWith(200, 'unknownAccount', on('getBillingAccount')),
        refusedAs(() => ({ data: null }), 'unknownAccount', on('getBillingAccount')),
      ),
    },
  },
});
