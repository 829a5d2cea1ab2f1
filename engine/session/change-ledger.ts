import type { HttpRequest } from '../../core/http.ts';
import { parseJson, stringAt } from '../../core/json.ts';
import type { Target } from '../../core/target.ts';
import type { Operation } from '../../spec/requirement.ts';

/** What requests changed of what the target file declares. `certain` is false if no answer, or a 5xx, leaves open whether it happened. */
export type Changes = {
  readonly deletions: readonly { organizationId: string; dataSourceId: string; certain: boolean }[];
  readonly attachments: readonly { billingAccountId: string; organizationId: string; certain: boolean }[];
  readonly messages: readonly { organizationId: string; chatId: string; count: number }[];
};

/** A request that changed something, or may have. */
export type Change = {
  readonly operation: Operation;
  readonly request: Pick<HttpRequest, 'path' | 'body'>;
  readonly certain: boolean;
  /** Identifies a message: sending it again makes no other one. */
  readonly message: () => string;
};

export type ChangeLedger = {
  readonly enter: (change: Change, target: Pick<Target, 'organizations' | 'billingAccounts'>) => void;
  readonly changes: () => Changes;
};

/** A long load sends many messages to a chat, but repeats only recent ones. */
const mostRemembered = 1000;

type ChatMessages = { count: number; readonly recent: Set<string> };

/** Remembers which fixtures of the target file requests used up; only those must be replenished. */
export function createChangeLedger(): ChangeLedger {
  // The keys are pairs of IDs as JSON; the value is whether the change is certain.
  const deletions = new Map<string, boolean>();
  const attachments = new Map<string, boolean>();
  const messages = new Map<string, ChatMessages>();

  return {
    enter({ operation, request, certain, message }, target) {
      const [first = '', second = ''] = idsIn(request.path);
      if (operation === 'deleteDataSource') {
        if (isDisposable(target, first, second)) mark(deletions, [first, second], certain);
      } else if (operation === 'attachOrganization') {
        const organizationId = typeof request.body === 'string' ? attachedIn(request.body) : undefined;
        if (organizationId !== undefined && isAttachable(target, organizationId))
          mark(attachments, [first, organizationId], certain);
      } else if (operation === 'sendMessage' && certain) {
        countMessage(messages, JSON.stringify([first, second]), message());
      }
    },
    changes: () => ({
      deletions: [...deletions].map(([name, certain]) => {
        const [organizationId, dataSourceId] = pairIn(name);
        return { organizationId, dataSourceId, certain };
      }),
      attachments: [...attachments].map(([name, certain]) => {
        const [billingAccountId, organizationId] = pairIn(name);
        return { billingAccountId, organizationId, certain };
      }),
      messages: [...messages].map(([name, { count }]) => {
        const [organizationId, chatId] = pairIn(name);
        return { organizationId, chatId, count };
      }),
    }),
  };
}

function mark(entries: Map<string, boolean>, pair: readonly [string, string], certain: boolean): void {
  const name = JSON.stringify(pair);
  entries.set(name, certain || entries.get(name) === true);
}

function countMessage(messages: Map<string, ChatMessages>, chat: string, id: string): void {
  const own = messages.get(chat) ?? { count: 0, recent: new Set() };
  messages.set(chat, own);
  if (own.recent.has(id)) return;
  own.count += 1;
  own.recent.add(id);
  const [oldest] = own.recent;
  if (own.recent.size > mostRemembered && oldest !== undefined) own.recent.delete(oldest);
}

function pairIn(name: string): readonly [string, string] {
  const pair: unknown = JSON.parse(name);
  return Array.isArray(pair) ? [String(pair[0]), String(pair[1])] : ['', ''];
}

/** The IDs in a path of the API; each follows the name of its collection. */
function idsIn(path: string): readonly string[] {
  const [, , , , first = '', , second = ''] = (path.split('?')[0] ?? '').split('/');
  return [first, second].map(decodeURIComponent);
}

function attachedIn(body: string): string | undefined {
  return stringAt(parseJson(Buffer.from(body)).value, 'organizationId');
}

function isDisposable({ organizations }: Pick<Target, 'organizations'>, organizationId: string, id: string): boolean {
  return organizations.some((each) => each.id === organizationId && each.disposableDataSources.includes(id));
}

function isAttachable({ billingAccounts }: Pick<Target, 'billingAccounts'>, organizationId: string): boolean {
  return billingAccounts.some(({ attachable }) => attachable.includes(organizationId));
}
