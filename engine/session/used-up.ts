import { type Answer, answerOf, type Exchange, isSuccess } from '../../core/exchange.ts';
import { parseJson, stringAt } from '../../core/json.ts';
import { perRun } from './run-memory.ts';
import type { Operation } from '../../spec/requirement.ts';
import type { Session } from './session.ts';
import type { Target } from '../../core/target.ts';

/** What a run changed. `certain` is false if a missing answer or a 5xx leaves open whether it happened. */
export type UsedUp = {
  /** Part of every idempotency key of the run. */
  readonly runId: string;
  readonly deletions: readonly { organizationId: string; dataSourceId: string; certain: boolean }[];
  readonly attachments: readonly { billingAccountId: string; organizationId: string; certain: boolean }[];
  readonly messages: readonly { organizationId: string; chatId: string; count: number }[];
};

type Ledger = {
  /** The keys are pairs of IDs as JSON; the value is whether the change is certain. */
  readonly deletions: Map<string, boolean>;
  readonly attachments: Map<string, boolean>;
  /** The IDs of user messages, by organization and chat. */
  readonly messages: Map<string, Set<string>>;
  /** When each operation last changed something or may have, in milliseconds of the clock. */
  readonly lastAt: Map<Operation, number>;
};

const ledgerOf = perRun((): Ledger => {
  return { deletions: new Map(), attachments: new Map(), messages: new Map(), lastAt: new Map() };
});

/** Remembers which fixtures of the target file an exchange used up; only those must be replenished. */
export function noteUse(session: Session, exchange: Exchange): void {
  const { request, operation } = exchange;
  if (request.method === 'GET') return;
  const answer = answerOf(exchange);
  if (answer !== undefined && !isSuccess(answer) && answer.status < 500) return;
  const certain = answer !== undefined && isSuccess(answer);
  const ledger = ledgerOf(session);
  ledger.lastAt.set(operation, exchange.receivedAt);
  const [first = '', second = ''] = idsIn(request.path);
  const { target } = session;
  if (operation === 'deleteDataSource') {
    if (isDisposable(target, first, second)) enter(ledger.deletions, [first, second], certain);
  } else if (operation === 'attachOrganization') {
    const organizationId = typeof request.body === 'string' ? attachedIn(request.body) : undefined;
    if (organizationId !== undefined && isAttachable(target, organizationId)) {
      enter(ledger.attachments, [first, organizationId], certain);
    }
  } else if (certain) {
    const name = JSON.stringify([first, second]);
    const seen = ledger.messages.get(name) ?? new Set<string>();
    ledger.messages.set(name, seen.add(messageIn(answer)));
  }
}

/** How long ago the operation last changed something or may have, in milliseconds; infinite if it never did. */
export function sinceChange(session: Session, operation: Operation): number {
  return session.clock.now() - (ledgerOf(session).lastAt.get(operation) ?? Number.NEGATIVE_INFINITY);
}

/** What the run changed so far, according to its answers. */
export function usedUp(session: Session): UsedUp {
  const { deletions, attachments, messages } = ledgerOf(session);
  return {
    runId: session.runId,
    deletions: [...deletions].map(([name, certain]) => {
      const [organizationId, dataSourceId] = pairIn(name);
      return { organizationId, dataSourceId, certain };
    }),
    attachments: [...attachments].map(([name, certain]) => {
      const [billingAccountId, organizationId] = pairIn(name);
      return { billingAccountId, organizationId, certain };
    }),
    messages: [...messages].map(([name, ids]) => {
      const [organizationId, chatId] = pairIn(name);
      return { organizationId, chatId, count: ids.size };
    }),
  };
}

function enter(entries: Map<string, boolean>, pair: readonly [string, string], certain: boolean): void {
  const name = JSON.stringify(pair);
  entries.set(name, certain || entries.get(name) === true);
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

/** The ID of the user message; a repeated request shows the same one. */
function messageIn(answer: Answer): string {
  return stringAt(answer.json, 'data', 'userMessage', 'id') ?? '';
}

function isDisposable({ organizations }: Target, organizationId: string, id: string): boolean {
  return organizations.some((each) => each.id === organizationId && each.disposableDataSources.includes(id));
}

function isAttachable({ billingAccounts }: Target, organizationId: string): boolean {
  return billingAccounts.some(({ attachable }) => attachable.includes(organizationId));
}
