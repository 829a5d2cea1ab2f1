import type { Operation, Requirement } from './requirement.ts';

const attach = ['attachOrganization'] as const satisfies readonly Operation[];
const account = ['getBillingAccount'] as const satisfies readonly Operation[];

/** Sections 2.6, 4.3 and 4.4. */
export const billing = [
  {
    id: 'billing.record',
    section: '4.4',
    level: 'must',
    operations: account,
    sentence: 'Getting a billing account answers 2xx with data of the same id.',
  },
  {
    id: 'billing.types',
    section: '2.6',
    level: 'must',
    operations: account,
    sentence: 'The fields of a billing account have their documented types where present and not null.',
  },
  {
    id: 'billing.owner',
    section: '2.6',
    level: 'must',
    operations: account,
    sentence: 'ownerOrganizationId is the organization whose admins may read the account.',
  },
  {
    id: 'billing.unknown',
    section: '4.4',
    level: 'must',
    operations: account,
    sentence: 'A billing account that does not exist is not answered 2xx.',
  },
  {
    id: 'attach.success',
    section: '4.3',
    level: 'must',
    operations: attach,
    sentence: 'The admin of both organizations attaches with a 2xx answer.',
  },
  {
    id: 'attach.count',
    section: '4.3',
    level: 'must',
    operations: attach,
    sentence: "Attaching an organization adds one to the account's organizationCount.",
  },
  {
    id: 'attach.twice',
    section: '4.3',
    level: 'must',
    operations: attach,
    sentence: 'Attaching an organization again does not count it twice.',
  },
  {
    id: 'attach.missing',
    section: '4.3',
    level: 'must',
    operations: attach,
    sentence: 'A body without organizationId is refused.',
  },
  {
    id: 'attach.not-a-string',
    section: '4.3',
    level: 'must',
    operations: attach,
    sentence: 'An organizationId that is null, a number, an array or an object is refused.',
  },
  {
    id: 'attach.unknown-organization',
    section: '4.3',
    level: 'must',
    operations: attach,
    sentence: 'An organization that does not exist cannot be attached.',
  },
  {
    id: 'attach.unknown-account',
    section: '4.3',
    level: 'must',
    operations: attach,
    sentence: 'Nothing can be attached to a billing account that does not exist.',
  },
  {
    id: 'attach.refused-no-effect',
    section: '4.3',
    level: 'must',
    operations: attach,
    sentence: 'A refused attachment leaves organizationCount as it was.',
  },
  {
    id: 'attach.refused-no-5xx',
    section: '4.3',
    level: 'should',
    operations: attach,
    sentence: 'A refused attachment is not answered 5xx.',
  },
  {
    id: 'attach.paid',
    section: '4.3',
    level: 'must',
    operations: attach,
    sentence: 'An attached organization becomes paid (GROWTH), without trial limitations.',
    unobservable: 'No operation with a known path reads the plan of an organization.',
  },
] as const satisfies readonly Requirement[];
