import type { Operation } from './requirement.ts';

/** Section 4: where each operation is. A name in braces is one percent-encoded segment. */
export const routes = {
  listModels: { method: 'GET', path: '/api/public/organizations/{orgId}/models' },
  sendMessage: { method: 'POST', path: '/api/public/organizations/{orgId}/chats/{chatId}/messages' },
  attachOrganization: { method: 'POST', path: '/api/public/billing-accounts/{billingAccountId}/organizations' },
  getBillingAccount: { method: 'GET', path: '/api/public/billing-accounts/{billingAccountId}' },
  listDataSources: { method: 'GET', path: '/api/public/organizations/{orgId}/data-sources' },
  deleteDataSource: { method: 'DELETE', path: '/api/public/organizations/{orgId}/data-sources/{id}' },
} as const satisfies Record<Operation, { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string }>;

/** The query parameters that section 4 names. */
export const queryParameters = ['limit', 'cursor', 'databaseConnectionId', 'wait'] as const;
