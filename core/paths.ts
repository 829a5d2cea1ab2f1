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

/** The wait that the path of a message asks for. */
export function waitIn(path: string): string | undefined {
  return /[?&]wait=([^&]*)/.exec(path)?.[1];
}

/** What stands between the parameters of each path. */
const parts = new Map(Object.values(routes).map(({ path }) => [path, path.split(/\{\w+\}/)]));

/** The path with the IDs in the place of its parameters. */
function filled(
  { path }: { readonly path: (typeof routes)[keyof typeof routes]['path'] },
  ...ids: readonly string[]
): string {
  const [first = '', ...rest] = parts.get(path) ?? [];
  return rest.reduce((before, part, place) => `${before}${encodeURIComponent(ids[place] ?? '')}${part}`, first);
}

function search(query: Query): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
