import type { Fault } from '../../variation.ts';
import { first } from '../shared/first.ts';

export const billingFaults: readonly Fault[] = [
  {
    name: 'account-behind-503',
    breaks: 'billing.record',
    sentence: 'The service that keeps the accounts is always overloaded, and a proxy says so.',
    alter: () => ({ gatewayStatus: (request) => (request.operation === 'getBillingAccount' ? 503 : undefined) }),
  },
  {
    name: 'account-without-data',
    breaks: 'billing.record',
    sentence: 'The account stands at the top of the answer, not within data.',
    alter: () => ({ accountAnswer: (record) => record }),
  },
  {
    name: 'account-under-its-number',
    breaks: 'billing.record',
    sentence: 'The id in the answer is the one of the payment provider.',
    alter: (rules) => ({
      accountShown: (record, request) => ({ ...rules.accountShown(record, request), id: 'cus_8fJ2' }),
    }),
  },
  {
    name: 'account-id-for-operators-alone',
    breaks: 'billing.record',
    sentence: 'Who is admin of the owner and of little else gets the id of the payment provider.',
    alter: (rules) => ({
      accountShown: (record, request) => {
        const shown = rules.accountShown(record, request);
        return request.caller?.name === 'dave' ? { ...shown, id: 'cus_8fJ2' } : shown;
      },
    }),
  },
  {
    name: 'status-of-the-plan',
    breaks: 'billing.types',
    sentence: 'Once an organization is attached, subscriptionStatus is the record of its plan.',
    alter: (rules) => {
      let plan: string | undefined;
      return {
        attachmentCounts: (organizationId, before, request) => {
          plan = organizationId;
          return rules.attachmentCounts(organizationId, before, request);
        },
        accountShown: (record, request) =>
          rules.accountShown(plan === undefined ? record : { ...record, subscriptionStatus: { plan } }, request),
      };
    },
  },
  {
    name: 'cents-in-text',
    breaks: 'billing.types',
    sentence: 'Amounts of money are texts, as decimals are.',
    alter: (rules) => ({
      accountShown: (record, request) => ({
        ...rules.accountShown(record, request),
        aiUsageIncludedCreditsCents: '150000',
      }),
    }),
  },
  {
    name: 'count-in-text',
    breaks: 'billing.types',
    sentence: 'organizationCount is a text, as the driver gives a COUNT.',
    alter: (rules) => ({
      accountShown: (record, request) => {
        const shown = rules.accountShown(record, request);
        return { ...shown, organizationCount: String(shown['organizationCount']) };
      },
    }),
  },
  {
    name: 'owner-is-reader',
    breaks: 'billing.owner',
    sentence: "ownerOrganizationId is the caller's own first organization.",
    alter: (rules) => ({
      accountShown: (record, request) => ({
        ...rules.accountShown(record, request),
        ownerOrganizationId: first(request.caller?.adminOf ?? []) ?? '',
      }),
    }),
  },
  {
    name: 'owner-is-a-name',
    breaks: 'billing.owner',
    sentence: 'ownerOrganizationId is the name of the organization in capitals, not its ID.',
    alter: (rules) => ({
      accountShown: (record, request) => {
        const shown = rules.accountShown(record, request);
        return { ...shown, ownerOrganizationId: `${String(shown['ownerOrganizationId']).toUpperCase()}_` };
      },
    }),
  },
  {
    name: 'unknown-account-is-first',
    breaks: 'billing.unknown',
    sentence: 'A billing account that does not exist falls back to the first one.',
    alter: () => ({ accountNamed: (id, all) => (all.includes(id) ? id : (all[0] ?? id)) }),
  },
  {
    name: 'unknown-account-200',
    breaks: 'billing.unknown',
    sentence: 'A billing account that does not exist is answered 200 with null.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        kind === 'unknownAccount' && request.operation === 'getBillingAccount'
          ? 200
          : rules.refusalStatus(kind, request),
      errorBody: (error, kind, request) =>
        kind === 'unknownAccount' && request.operation === 'getBillingAccount'
          ? { data: null }
          : rules.errorBody(error, kind, request),
    }),
  },
];
