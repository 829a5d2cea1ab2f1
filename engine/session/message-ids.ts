import type { Chat } from './chat-pool.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import type { Session } from './session.ts';

/** Two messages of one chat, sent under different keys, that were shown under one ID. */
export type SharedId = { readonly id: string; readonly first: Answer; readonly second: Answer };

type Ledger = { readonly answers: Map<string, Answer>; shared: SharedId | undefined };

/** IDs that are remembered of one run. */
const mostIds = 20_000;

const ledgers = new WeakMap<Session, Ledger>();

/** Remembers the IDs that a message was given which repeats none: in its chat nothing else may have them. */
export function noteNewMessage(
  session: Session,
  { organizationId, chatId }: Pick<Chat, 'organizationId' | 'chatId'>,
  answer: Answer,
): void {
  if (!isSuccess(answer)) return;
  const ledger = ledgers.get(session) ?? { answers: new Map<string, Answer>(), shared: undefined };
  ledgers.set(session, ledger);
  for (const role of ['userMessage', 'assistantMessage'] as const) {
    const id = stringAt(answer.json, 'data', role, 'id');
    if (id === undefined || id === '') continue;
    const place = JSON.stringify([organizationId, chatId, id]);
    const first = ledger.answers.get(place);
    // That both messages of one answer have one ID is seen without a memory.
    if (first !== undefined && first !== answer) ledger.shared ??= { id, first, second: answer };
    if (ledger.answers.size < mostIds) ledger.answers.set(place, answer);
  }
}

/** The first two messages that share an ID; undefined where none do. */
export function sharedIdOf(session: Session): SharedId | undefined {
  return ledgers.get(session)?.shared;
}
