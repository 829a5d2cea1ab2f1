import { routes } from '../spec/routes.ts';

export type Query = Readonly<Record<string, string | number>>;

/** The paths of the six operations, relative to the base URL and percent-encoded, whatever the IDs hold. */
export const paths = {
  models: (organizationId: string, query: Query) => `${filled(routes.listModels, organizationId)}${search(query)}`,
  dataSources: (organizationId: string, query: Query) =>
    `${filled(routes.listDataSources, organizationId)}${search(query)}`,
  dataSource: (organizationId: string, id: string) => filled(routes.deleteDataSource, organizationId, id),
  messages: (organizationId: string, chatId: string, query: Query) =>
    `${filled(routes.sendMessage, organizationId, chatId)}${search(query)}`,
  billingAccount: (id: string) => filled(routes.getBillingAccount, id),
  attachments: (billingAccountId: string) => filled(routes.attachOrganization, billingAccountId),
} as const;

/** The path with the IDs in the place of its parameters. */
function filled({ path }: { readonly path: string }, ...ids: readonly string[]): string {
  let place = 0;
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(ids[place++] ?? ''));
}

function search(query: Query): string {
  const pairs = Object.entries(query).map((pair) => pair.map((part) => encodeURIComponent(part)).join('='));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
