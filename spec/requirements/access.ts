import { must, operations, should } from '../requirement.ts';

/** Section 5, points 3 and 4, with the access lines of section 4. */
export const access = [
  must('access.granted', '5', operations, 'A principal with the admin role that an operation asks for gets through.'),
  must(
    'access.models-404',
    '4.1',
    'listModels',
    'Listing models without admin access to the organization is answered 404.',
  ),
  must(
    'access.denied',
    '5',
    ['listDataSources', 'deleteDataSource', 'getBillingAccount'],
    'A principal without the admin role that an operation asks for never gets a 2xx answer.',
  ),
  must(
    'access.attach-needs-organization-admin',
    '4.3',
    'attachOrganization',
    'An admin of the owner organization alone cannot attach an organization.',
  ),
  must(
    'access.attach-needs-owner-admin',
    '4.3',
    'attachOrganization',
    'An admin of the attached organization alone cannot attach it.',
  ),
  must(
    'access.attach-needs-a-role',
    '4.3',
    'attachOrganization',
    'An admin of neither organization cannot attach one to the other.',
  ),
  must(
    'access.denied-no-effect',
    '5',
    ['deleteDataSource', 'attachOrganization'],
    'A denied write changes nothing: the data source stays as it was, and so does organizationCount.',
  ),
  must(
    'access.foreign-path',
    '4',
    ['sendMessage', 'deleteDataSource'],
    "A resource is not reached through another organization's path.",
  ),
  must(
    'access.foreign-filter',
    '4.1',
    'listModels',
    "Filtering by another organization's data source yields no model of that organization.",
  ),
  should(
    'access.foreign-filter-404',
    '4.1',
    'listModels',
    "Filtering by another organization's data source is answered 404, as if it did not exist.",
  ),
  must(
    'access.foreign-cursor',
    '4',
    ['listModels', 'listDataSources'],
    "Another organization's item as cursor yields nothing of that organization.",
  ),
  should(
    'access.no-disclosure',
    '5',
    ['listModels', 'listDataSources', 'deleteDataSource', 'getBillingAccount'],
    'A denied answer names nothing of what it hides.',
  ),
];
