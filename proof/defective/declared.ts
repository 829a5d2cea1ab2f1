/** Why checks are blocked by what the target file declares: a part of each reason, by the check's id. */
export const ofDeclared = {
  'a target with two of each': {
    'wait.finishes': 'no chat is declared to measure the way to',
    'auth.before-lookup/attachOrganization':
      'the target file declares no existing resource: declare adminOf for a principal, and billingAccounts',
    'auth.before-lookup/getBillingAccount':
      'the target file declares no existing resource: declare adminOf for a principal, and billingAccounts',
    'auth.no-effect/attachOrganization':
      'no organization may be attached: declare billingAccounts.<id>.attachable, organizations that are not attached ',
    'auth.no-effect/deleteDataSource':
      'no data source may be deleted: declare organizations.<id>.disposableDataSources for an organization that a pri',
    'auth.no-effect/deleteDataSource/at-last':
      'no data source may be deleted: declare organizations.<id>.disposableDataSources for an organization that a pri',
    'access.granted/getBillingAccount':
      'no principal is adminOf the owner of a billing account: declare billingAccounts.<id>.owner and such a principa',
    'access.granted/getBillingAccount/at-last':
      'no principal is adminOf the owner of a billing account: declare billingAccounts.<id>.owner and such a principa',
    'access.models-404':
      'there is no principal to deny access to: declare a principal that is not adminOf an organization',
    'access.denied/listDataSources':
      'there is no principal to deny access to: declare a principal that is not adminOf an organization',
    'access.denied/getBillingAccount': 'no billing account is declared: declare billingAccounts.<id>.owner',
    'access.granted/listModels/side-by-side': 'no resource was shown to its admin and refused to another principal',
    'access.models-404/by-query': 'declare a principal that is not adminOf',
    'access.denied/listDataSources/by-query': 'declare a principal that is not adminOf',
    'access.denied/listDataSources/by-path': 'declare a principal that is not adminOf',
    'access.denied/deleteDataSource/deleted':
      'no data source may be deleted: declare organizations.<id>.disposableDataSources for an organization that a pri',
    'access.granted/deleteDataSource':
      'no data source may be deleted: declare organizations.<id>.disposableDataSources for an organization that a pri',
    'access.denied-no-effect/attachOrganization':
      'no organization may be attached: declare billingAccounts.<id>.attachable, organizations that are not attached ',
    'access.attach-needs-organization-admin':
      'no organization may be attached: declare billingAccounts.<id>.attachable',
    'access.attach-needs-owner-admin': 'no organization may be attached: declare billingAccounts.<id>.attachable',
    'access.denied-no-effect/attachOrganization/attached':
      'no organization may be attached: declare billingAccounts.<id>.attachable, organizations that are not attached ',
    'access.denied/getBillingAccount/attached':
      'no organization may be attached: declare billingAccounts.<id>.attachable, organizations that are not attached ',
    'access.foreign-filter': 'needs a second organization that a principal is adminOf',
    'access.foreign-filter-404': 'needs a second organization that a principal is adminOf',
    'paging.limit/listModels': 'models; the largest declared one',
    'paging.default-limit/listModels': 'models; the largest declared one',
    'paging.limit-maximum/listModels': 'items for a full page of',
    'paging.limit-maximum/listDataSources': 'items for a full page of',
    'paging.limit/listModels/filtered': 'models; the largest one has',
    'paging.default-limit/listModels/filtered': 'models; the largest one has',
    'models.column-description': 'no model has columns with description: add a model that does',
    'models.column-synonyms': 'no model has columns with synonyms: add a model that does',
    'models.filter': 'models of one data source, and models of another',
    'messages.immediate': 'no chat is declared to measure the way to',
    'idempotency.after/refused-before': 'a message was refused whose key was refused with other requests',
    'conflict.refused/to-the-end':
      'no chat to write to: declare organizations.<id>.chats for an organization that a principal is adminOf',
    'billing.record': 'no billing account is declared: declare billingAccounts.<id>.owner',
    'billing.types': 'no billing account is declared: declare billingAccounts.<id>.owner',
    'delete.gone-or-marked/in-sequence':
      'the sequence never exercised it: declare more organizations, chats, disposable data sources and attachable org',
    'delete.others-untouched/in-sequence':
      'the sequence never exercised it: declare more organizations, chats, disposable data sources and attachable org',
  },
  'a target without principals': {
    'auth.no-key/listModels': 'no principal is declared',
    'auth.unknown-key/listModels': 'no principal is declared',
    'access.granted/listModels/header-names':
      'no principal is adminOf any organization: declare one in the target file',
    'access.models-404/by-query': 'no principal is adminOf any organization: declare one in the target file',
    'access.attach-needs-organization-admin': 'declare a principal that is adminOf',
    'access.attach-needs-owner-admin': 'declare a principal that is not adminOf',
    'rate.body/listModels': 'no principal is adminOf any organization',
    'rate.body/listModels/met': 'no request met a rate limit',
    'rate.honest/listModels': 'no principal is adminOf any organization',
    'rate.honest/listModels/met': 'no request met a rate limit',
    'idempotency.after/pause': 'no principal is declared',
    'idempotency.no-duplicate/pause': 'no principal is declared',
  },
  'a target with one organization and its admins': {
    'access.denied/getBillingAccount': 'no billing account is declared: declare billingAccounts.<id>.owner',
    'access.denied/listDataSources/by-path': 'declare a principal that is not adminOf',
    'access.foreign-path/sendMessage':
      'needs a principal that is adminOf an organization other than the one of a chat, and a chat whose ID is long en',
    'access.denied-no-effect/deleteDataSource':
      'there is no principal to deny access to: declare a principal that is not adminOf',
    'access.denied-no-effect/deleteDataSource/at-last':
      'there is no principal to deny access to: declare a principal that is not adminOf',
    'access.foreign-path/deleteDataSource': 'needs a principal that is adminOf a second organization',
    'access.denied/deleteDataSource/deleted': 'declare a principal that is not adminOf',
  },
  'a target with an empty organization': {
    'models.filter': 'models of one data source, and models of another',
    'models.filter-partition': 'needs an organization with',
    'models.unknown-data-source': 'needs an organization with a data source',
    'robustness.odd-ids/listModels/filtered': 'needs an organization with a data source',
  },
  'a target whose attachable organizations are attached': {
    'access.denied-no-effect/attachOrganization/at-last':
      'this run attached organizations to another billing account than',
    'access.denied/getBillingAccount/attached': 'declare a principal that is not adminOf',
    'access.models-404/listModels/attached': 'declare a principal that is adminOf',
    'access.denied/listDataSources/attached': 'declare a principal that is adminOf',
    'attach.twice': 'no attachment was counted at all: attach.count judges that',
  },
  'a target whose principals are admins of everything': {
    'access.denied/deleteDataSource/deleted': 'declare a principal that is not adminOf',
    'access.denied-no-effect/attachOrganization': 'needs a principal that lacks one of the two roles',
    'access.denied-no-effect/attachOrganization/then-granted': 'needs a principal that lacks one of the two roles',
    'access.denied-no-effect/attachOrganization/attached': 'needs a principal that lacks one of the two roles',
  },
  'a target whose principals are admins of nothing': {
    'rate.honest/listModels/clock': 'no principal is adminOf any organization',
  },
  'a target with one data source to delete': {
    'access.denied-no-effect/deleteDataSource/at-last':
      'this run used up every disposable data source: declare more under organizations.<id>.disposableDataSources',
    'delete.gone-or-marked/at-once':
      'no disposable data source can be spared: declare three or more under organizations.<id>.disposableDataSources',
    'delete.others-untouched/at-once':
      'no disposable data source can be spared: declare three or more under organizations.<id>.disposableDataSources',
  },
} as const;
