import type { BillingAccount, Organization } from '../../core/target.ts';
import type { ReferenceOptions } from '../reference.ts';
import { type Conversation, openConversation, type Sent } from './conversation.ts';

type Rest = Omit<Partial<Sent>, 'method' | 'path' | 'body'>;

/** A conversation that records its lines, with short functions for the acts of the scenario. */
export type Stage = Conversation & {
  /** One line for each request: what was sent, how long it took, and the answer. */
  readonly lines: string[];
  readonly main: Organization;
  readonly other: Organization;
  readonly small: Organization;
  readonly empty: Organization;
  readonly account: BillingAccount;
  readonly aliceKey: string;
  readonly get: (path: string, rest?: Rest) => Promise<string>;
  /** A body that is not a string is written as JSON. */
  readonly post: (path: string, body: unknown, rest?: Rest) => Promise<string>;
  readonly drop: (organizationId: string, sourceId: string, rest?: Rest) => Promise<string>;
  /** Every page of a list; the IDs on them. */
  readonly walk: (path: string, query: string, rest?: Rest) => Promise<readonly string[]>;
};

export function inOrganization(organization: string | Organization, rest: string): string {
  const id = typeof organization === 'string' ? organization : organization.id;
  return `/api/public/organizations/${encodeURIComponent(id)}/${rest}`;
}

export function messagesOf(organization: Organization, chatId: string | undefined, query = ''): string {
  return inOrganization(organization, `chats/${encodeURIComponent(chatId ?? 'none')}/messages${query}`);
}

export function billingPath(id: string): string {
  return `/api/public/billing-accounts/${encodeURIComponent(id)}`;
}

const nowhere: Organization = { id: 'nowhere', chats: [], disposableDataSources: [] };
const pagesMost = 12;

/** A line differs from that of another deployment. */
export class Differs extends Error {}

/** Given the lines of another deployment, requests reject with {@link Differs} from the first line that differs. */
export function openStage(options: Omit<ReferenceOptions, 'clock'>, another?: readonly string[]): Stage {
  const conversation = openConversation(options);
  const { target, send, now } = conversation;
  const lines: string[] = [JSON.stringify({ ...target, baseUrls: undefined })];
  const [main = nowhere, other = nowhere, small = nowhere, empty = nowhere] = target.organizations;
  const [account = { id: 'nowhere', owner: '', attachable: [] }] = target.billingAccounts;

  async function say(what: Sent): Promise<string> {
    const sentAt = now();
    const line = await send(what);
    const place = lines.push(`${what.method} ${what.path} +${now() - sentAt} ms: ${line}`) - 1;
    if (another !== undefined && lines[place] !== another[place]) throw new Differs();
    return line;
  }

  async function walk(path: string, query: string, rest: Rest = {}): Promise<readonly string[]> {
    const ids: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < pagesMost; pages += 1) {
      const line = await say({ method: 'GET', path: `${path}?${query}${cursor}`, ...rest });
      for (const [, id] of line.matchAll(/\{"id":"([^"]+)","(?:createdAt|displayName)/g)) ids.push(id ?? '');
      const next = /"nextCursor":"([^"]+)"/.exec(line)?.[1];
      if (next === undefined) break;
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
    return ids;
  }

  return {
    ...conversation,
    lines,
    main,
    other,
    small,
    empty,
    account,
    aliceKey: target.principals[0]?.key ?? '',
    get: (path, rest = {}) => say({ method: 'GET', path, ...rest }),
    post: (path, body, rest = {}) =>
      say({ method: 'POST', path, body: typeof body === 'string' ? body : JSON.stringify(body), ...rest }),
    drop: (organizationId, sourceId, rest = {}) =>
      say({
        method: 'DELETE',
        path: inOrganization(organizationId, `data-sources/${encodeURIComponent(sourceId)}`),
        ...rest,
      }),
    walk,
  };
}
