import { operations, type Requirement } from './requirement.ts';

/** Section 5, points 3 and 4, with the access lines of section 4. */
export const access = [
  {
    id: 'access.granted',
    section: '5',
    level: 'must',
    operations,
    sentence: 'A principal with the admin role that an operation asks for gets through.',
  },
  {
    id: 'access.models-404',
    section: '4.1',
    level: 'must',
    operations: ['listModels'],
    sentence: 'Listing models without admin access to the organization is answered 404.',
  },
  {
    id: 'access.denied',
    section: '5',
    level: 'must',
    operations: ['listDataSources', 'deleteDataSource', 'getBillingAccount'],
    sentence: 'A principal without the admin role that an operation asks for never gets a 2xx answer.',
  },
  {
    id: 'access.attach-needs-organization-admin',
    section: '4.3',
    level: 'must',
    operations: ['attachOrganization'],
    sentence: 'An admin of the owner organization alone cannot attach an organization.',
  },
  {
    id: 'access.attach-needs-owner-admin',
    section: '4.3',
    level: 'must',
    operations: ['attachOrganization'],
    sentence: 'An admin of the attached organization alone cannot attach it.',
  },
  {
    id: 'access.attach-needs-a-role',
    section: '4.3',
    level: 'must',
    operations: ['attachOrganization'],
    sentence: 'An admin of neither organization cannot attach one to the other.',
  },
  {
    id: 'access.denied-no-effect',
    section: '5',
    level: 'must',
    operations: ['deleteDataSource', 'attachOrganization'],
    sentence: 'A denied write changes nothing: the data source stays as it was, and so does organizationCount.',
  },
  {
    id: 'access.foreign-path',
    section: '4',
    level: 'must',
    operations: ['sendMessage', 'deleteDataSource'],
    sentence: "A resource is not reached through another organization's path.",
  },
  {
    id: 'access.foreign-filter',
    section: '4.1',
    level: 'must',
    operations: ['listModels'],
    sentence: "Filtering by another organization's data source yields no model of that organization.",
  },
  {
    id: 'access.foreign-cursor',
    section: '4',
    level: 'must',
    operations: ['listModels', 'listDataSources'],
    sentence: "Another organization's item as cursor yields nothing of that organization.",
  },
  {
    id: 'access.no-disclosure',
    section: '5',
    level: 'should',
    operations: ['listModels', 'listDataSources', 'deleteDataSource', 'getBillingAccount'],
    sentence: 'A denied answer names nothing of what it hides.',
  },
] as const satisfies readonly Requirement[];
