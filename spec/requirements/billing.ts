import { must, should } from '../requirement.ts';

/** Sections 2.6, 4.3 and 4.4. */
export const billing = [
  ...must('4.4', 'getBillingAccount', {
    'billing.record': 'Getting a billing account answers 2xx with data of the same id.',
  }),
  ...must('2.6', 'getBillingAccount', {
    'billing.types': 'The fields of a billing account have their documented types where present and not null.',
    'billing.owner': 'ownerOrganizationId is the organization whose admins may read the account.',
  }),
  ...must('4.4', 'getBillingAccount', {
    'billing.unknown': 'A billing account that does not exist is not answered 2xx.',
  }),
  ...should('2.6', 'getBillingAccount', {
    'billing.whole-count': 'organizationCount is a whole number and not negative.',
    'billing.period-in-order': 'billingPeriodEnd is not before billingPeriodStart.',
    'billing.same-record':
      'What a billing account says of itself, such as its name, does not depend on the reader or the server.',
  }),
  ...must('2.6', 'getBillingAccount', {
    'billing.created-once': 'createdAt of a billing account is the same at each reading, for every admin.',
  }),
  ...must('4.3', 'attachOrganization', {
    'attach.success': 'The admin of both organizations attaches with a 2xx answer.',
    'attach.count': "Attaching an organization adds one to the account's organizationCount.",
    'attach.twice': 'Attaching an organization again does not count it twice.',
    'attach.data-kept': 'An attached organization keeps its models and data sources.',
    'attach.missing': 'A body without organizationId is refused.',
    'attach.not-a-string': 'An organizationId that is null, a number, an array or an object is refused.',
    'attach.unknown-organization': 'An organization that does not exist cannot be attached.',
    'attach.unknown-account': 'Nothing can be attached to a billing account that does not exist.',
    'attach.refused-no-effect': 'A refused attachment leaves organizationCount as it was.',
  }),
  ...should('4.3', 'attachOrganization', {
    'attach.refused-no-5xx': 'A refused attachment is not answered 5xx.',
    'attach.inexact-id': 'An organizationId that differs from an ID in case, or has spaces around it, is refused.',
  }),
  ...must('4.3', 'attachOrganization', {
    'attach.paid': [
      'An attached organization becomes paid (GROWTH), without trial limitations.',
      'No operation with a known path reads the plan of an organization.',
    ],
  }),
];
