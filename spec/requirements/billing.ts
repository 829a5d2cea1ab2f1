import { must, should } from '../requirement.ts';

/** Sections 2.6, 4.3 and 4.4. */
export const billing = [
  must('billing.record', '4.4', 'getBillingAccount', 'Getting a billing account answers 2xx with data of the same id.'),
  must(
    'billing.types',
    '2.6',
    'getBillingAccount',
    'The fields of a billing account have their documented types where present and not null.',
  ),
  must(
    'billing.owner',
    '2.6',
    'getBillingAccount',
    'ownerOrganizationId is the organization whose admins may read the account.',
  ),
  must('billing.unknown', '4.4', 'getBillingAccount', 'A billing account that does not exist is not answered 2xx.'),
  should('billing.whole-count', '2.6', 'getBillingAccount', 'organizationCount is a whole number and not negative.'),
  must(
    'billing.created-once',
    '2.6',
    'getBillingAccount',
    'createdAt of a billing account is the same at each reading, for every admin.',
  ),
  must('attach.success', '4.3', 'attachOrganization', 'The admin of both organizations attaches with a 2xx answer.'),
  must(
    'attach.count',
    '4.3',
    'attachOrganization',
    "Attaching an organization adds one to the account's organizationCount.",
  ),
  must('attach.twice', '4.3', 'attachOrganization', 'Attaching an organization again does not count it twice.'),
  must('attach.missing', '4.3', 'attachOrganization', 'A body without organizationId is refused.'),
  must(
    'attach.not-a-string',
    '4.3',
    'attachOrganization',
    'An organizationId that is null, a number, an array or an object is refused.',
  ),
  must(
    'attach.unknown-organization',
    '4.3',
    'attachOrganization',
    'An organization that does not exist cannot be attached.',
  ),
  must(
    'attach.unknown-account',
    '4.3',
    'attachOrganization',
    'Nothing can be attached to a billing account that does not exist.',
  ),
  must(
    'attach.refused-no-effect',
    '4.3',
    'attachOrganization',
    'A refused attachment leaves organizationCount as it was.',
  ),
  should('attach.refused-no-5xx', '4.3', 'attachOrganization', 'A refused attachment is not answered 5xx.'),
  should(
    'attach.inexact-id',
    '4.3',
    'attachOrganization',
    'An organizationId that differs from an ID in case, or has spaces around it, is refused.',
  ),
  must(
    'attach.paid',
    '4.3',
    'attachOrganization',
    'An attached organization becomes paid (GROWTH), without trial limitations.',
    'No operation with a known path reads the plan of an organization.',
  ),
];
