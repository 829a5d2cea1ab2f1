import { type Api, as } from '../../engine/api.ts';
import type { Attachable } from '../../core/attachables.ts';
import { countWhen, givenAcceptedAttachment } from '../../stage/attachment/attachment.ts';
import { givenChat, givenFinished, givenSent } from '../../stage/chats/conversation.ts';
import { type Sent, sendAgain, sendWhenFree } from '../../stage/chats/sending.ts';
import { fateOf, givenAcceptedDeletion, listUntilGone } from '../../stage/deletion/deletion.ts';
import type { Disposable } from '../../stage/deletion/disposables.ts';
import type { Answer } from '../../core/exchange.ts';
import { shared } from '../../engine/fixture.ts';
import { givenLast } from '../../stage/chats/thread.ts';
import { givenKeyHeader } from '../../stage/chats/key-header.ts';
import { firstWait, patienceMs } from '../../engine/session/patience.ts';
import { paths } from '../../core/paths.ts';
import type { SideEffect } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';
import { isSame } from '../messages/same-messages.ts';

/** A chat before and after a restart. */
export type Conversation = {
  readonly first: Sent;
  readonly second: Sent;
  /** Sent last before the restart, with the slow prompt: its response may have been generating. */
  readonly last: Sent;
  /** Whether each of them, repeated before the restart, was the same. */
  readonly repeatable: boolean;
  /** The first message after the restart, tried until the chat was free. */
  readonly next: Answer;
  /** Each of them repeated after the restart. */
  readonly again: readonly { readonly sent: Sent; readonly answer: Answer }[];
};

/** What existed when the deployment was restarted; each getter throws the error that prevented its setup. */
export type Restarted = {
  readonly conversation: () => Conversation;
  readonly deleted: () => Disposable;
  readonly attached: () => { readonly attachable: Attachable; readonly count: number };
};

/** How long the deployment may take to answer again, in milliseconds. */
const upWithinMs = 120_000;

/** One restart, recorded once in a run for every check that judges it. Blocked if the deployment cannot be restarted. */
export const givenRestart = shared(async (api: Api): Promise<Restarted> => {
  const { restart } = api.session;
  if (restart === undefined) {
    throw new Blocked(
      'the deployment cannot be restarted: set hooks.restart in the target file to a command that does',
    );
  }
  const deleted = await attempted(() => allowed(api, 'deletions', givenDeleted));
  const attached = await attempted(() => allowed(api, 'attachments', givenAttached));
  // Last, because its response must still be generating.
  const before = await attempted(() => allowed(api, 'messages', beginConversation));
  await restart();
  await untilUp(api);
  const conversation = await attempted(() => endConversation(api, before()));
  return { conversation, deleted, attached };
});

/** Returns a function that returns the result or rethrows its error. */
async function attempted<Value>(make: () => Promise<Value>): Promise<() => Value> {
  try {
    const value = await make();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function allowed<Value>(api: Api, effect: SideEffect, make: (api: Api) => Promise<Value>): Promise<Value> {
  if (!api.session.target.allow.has(effect))
    throw new Blocked(`not allowed: add ${effect} to allow in the target file`);
  return make(api);
}

async function untilUp(api: Api): Promise<void> {
  const { sender, target } = api.session;
  const [principal] = target.principals;
  const organization = principal?.adminOf[0] ?? target.organizations[0]?.id ?? 'awc';
  const isUp = await sender.untilUp(
    {
      method: 'GET',
      path: paths.dataSources(organization, { limit: 1 }),
      headers: principal === undefined ? {} : { authorization: as(principal).authorization ?? '' },
      timeoutMs: 5000,
    },
    upWithinMs,
  );
  if (!isUp) throw new Blocked(`the deployment did not answer within ${upWithinMs / 1000} s of its restart`);
}

type Begun = Pick<Conversation, 'first' | 'second' | 'last' | 'repeatable'>;

async function beginConversation(api: Api): Promise<Begun> {
  await givenKeyHeader(api);
  const chat = await givenChat(api);
  const first = await givenLast(api, chat);
  const second = await givenFinished(api, chat);
  const last = await givenSent(api, chat, api.session.target.assistant.slowPrompt);
  let repeatable = true;
  for (const sent of [first, second, last]) repeatable = isSame(sent, await sendAgain(api, sent)) && repeatable;
  return { first, second, last, repeatable };
}

/** The next message is sent before the repetitions, because these are new messages if keys were lost. */
async function endConversation(api: Api, begun: Begun): Promise<Conversation> {
  const { clock, target } = api.session;
  const { quickPrompt, timeoutSeconds } = target.assistant;
  const untilMs = clock.now() + patienceMs(api.session, 'an idle chat', timeoutSeconds * 1000);
  const draft = { message: quickPrompt, wait: firstWait(api.session) };
  const next = await sendWhenFree(api, begun.last.chat, draft, { untilMs });
  const again = [];
  for (const sent of [begun.first, begun.second, begun.last]) again.push({ sent, answer: await sendAgain(api, sent) });
  return { ...begun, next, again };
}

async function givenDeleted(api: Api): Promise<Disposable> {
  const { disposable } = await givenAcceptedDeletion(api);
  const { items } = await listUntilGone(api, disposable);
  if (fateOf(items, disposable) !== 'as before') return disposable;
  throw new Blocked('the deletion had no effect before the restart either: delete.gone-or-marked judges that');
}

async function givenAttached(api: Api): Promise<{ readonly attachable: Attachable; readonly count: number }> {
  const { attachable, attached } = await givenAcceptedAttachment(api);
  const counted = attached.some(({ countBefore = 0, countAfter = 0 }) => countAfter > countBefore);
  const count = await countWhen(api, attachable, undefined);
  if (counted && count !== undefined) return { attachable, count };
  throw new Blocked('the attachment was not counted before the restart either: attach.count judges that');
}
