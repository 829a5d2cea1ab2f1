import { must, operations, should } from '../requirement.ts';

/** Section 5, points 3 and 4, with the access lines of section 4. */
export const access = [
  ...must('5', operations, {
    'access.granted': 'A principal with the admin role that an operation asks for gets through.',
  }),
  ...must('4.1', 'listModels', {
    'access.models-404': 'Listing models without admin access to the organization is answered 404.',
  }),
  ...must('5', ['listDataSources', 'deleteDataSource', 'getBillingAccount'], {
    'access.denied': 'A principal without the admin role that an operation asks for never gets a 2xx answer.',
  }),
  ...must('4.3', 'attachOrganization', {
    'access.attach-needs-organization-admin': 'An admin of the owner organization alone cannot attach an organization.',
    'access.attach-needs-owner-admin': 'An admin of the attached organization alone cannot attach it.',
    'access.attach-needs-a-role': 'An admin of neither organization cannot attach one to the other.',
  }),
  ...must('5', ['deleteDataSource', 'attachOrganization'], {
    'access.denied-no-effect':
      'A denied write changes nothing: the data source stays as it was, and so does organizationCount.',
  }),
  ...must('4', ['sendMessage', 'deleteDataSource'], {
    'access.foreign-path': "A resource is not reached through another organization's path.",
  }),
  ...must('1', 'listDataSources', {
    'access.foreign-list': 'A data source of one organization is not in the list of another.',
  }),
  ...must('4.1', 'listModels', {
    'access.foreign-filter': "Filtering by another organization's data source yields no model of that organization.",
  }),
  ...should('4.1', 'listModels', {
    'access.foreign-filter-404':
      "Filtering by another organization's data source is answered 404, as if it did not exist.",
  }),
  ...must('4', ['listModels', 'listDataSources'], {
    'access.foreign-cursor': "Another organization's item as cursor yields nothing of that organization.",
  }),
  ...should('5', ['listModels', 'listDataSources', 'deleteDataSource', 'getBillingAccount'], {
    'access.no-disclosure': 'A denied answer names nothing of what it hides.',
  }),
  ...should('5', 'attachOrganization', {
    'access.attach-no-disclosure': 'A denied attachment does not name a billing account that its caller may not read.',
  }),
];
