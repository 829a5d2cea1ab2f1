export type Query = Readonly<Record<string, string | number>>;

/** The paths of the six operations, relative to the base URL and percent-encoded, whatever the IDs hold. */
export const paths = {
  models: (organizationId: string, query: Query) => `${organization(organizationId)}/models${search(query)}`,
  dataSources: (organizationId: string, query: Query) => `${organization(organizationId)}/data-sources${search(query)}`,
  dataSource: (organizationId: string, id: string) =>
    `${organization(organizationId)}/data-sources/${encodeURIComponent(id)}`,
  messages: (organizationId: string, chatId: string, query: Query) =>
    `${organization(organizationId)}/chats/${encodeURIComponent(chatId)}/messages${search(query)}`,
  billingAccount: (id: string) => `/api/public/billing-accounts/${encodeURIComponent(id)}`,
  attachments: (billingAccountId: string) =>
    `/api/public/billing-accounts/${encodeURIComponent(billingAccountId)}/organizations`,
} as const;

function organization(id: string): string {
  return `/api/public/organizations/${encodeURIComponent(id)}`;
}

function search(query: Query): string {
  const pairs = Object.entries(query).map((pair) => pair.map((part) => encodeURIComponent(part)).join('='));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
