import fc from 'fast-check';
import { isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { check, type Check } from '../../engine/check.ts';
import { forAll } from '../../engine/properties.ts';
import { perCheck } from '../../engine/session/run-memory.ts';
import { slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenChat, givenFinished, givenSent, unlessRefused } from '../../stage/chats/conversation.ts';
import { givenKeyHeader } from '../../stage/chats/key-header.ts';
import { givenPace } from '../../stage/chats/pace.ts';
import { loseTrack, type Sent, send, sendAgain } from '../../stage/chats/sending.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { isSame, mustBeAnother } from '../messages/same-messages.ts';
import {
  changedAt,
  delicateKey,
  hexadecimalKey,
  type KeyVariant,
  longNumber,
  maxKeyLength,
  numericVariantsOf,
  partialVariantsOf,
  shortNumber,
  variantsOf,
} from './key-variants.ts';
import { givenRepeatedMeanwhile } from './repeated-meanwhile.ts';

const uses = { uses: ['messages'] } as const;

/** Section 4.2: which keys are the same. */
export const opaqueKeys: readonly Check[] = [
  check('idempotency.opaque', uses, async (api) => {
    await givenKeyHeader(api);
    const chat = await givenChat(api);
    const sent =
      (await unlessBlocked(() => givenKnownAgain(api, chat, (fresh) => delicateKey(fresh, true)))) ??
      (await givenKnownAgain(api, chat, (fresh) => delicateKey(fresh, false)));
    for (const variant of variantsOf(sent.key)) await mustDiffer(api, sent, variant);
    const place = fc.nat(maxKeyLength - 1);
    await forAll(
      api,
      place,
      { runs: 1, requests: 40 },
      (index) => mustDiffer(api, sent, [`with character ${index + 1} changed`, changedAt(sent.key, index)]),
      (index) => `a key of which only character ${index + 1} differs`,
    );
  }),

  check('idempotency.opaque', { ...uses, variant: 'numeric', extended: true }, async (api) => {
    await givenKeyHeader(api);
    await givenPace(api);
    const chat = await givenChat(api);
    const long = await givenKnownAgain(api, chat, longNumber);
    for (const variant of numericVariantsOf(long.key)) await mustDiffer(api, long, variant);
    await sendAgain(api, long, { wait: slowPromptWait(api.session) });
    const older = await givenFinished(api, chat, { keyOf: hexadecimalKey });
    const short = await givenKnownAgain(api, chat, shortNumber);
    await mustDiffer(api, older, ['of an older message in upper case', older.key.toUpperCase()]);
    for (const variant of partialVariantsOf(short.key)) await mustDiffer(api, short, variant);
  }),

  check('idempotency.opaque', { ...uses, variant: 'uuid', extended: true }, async (api) => {
    const { sent, next, alike } = await givenRepeatedMeanwhile(api);
    if (next.status !== 409) throw new Blocked(unlessRefused(next));
    for (const { what, answer } of alike) mustBeAnother(sent, answer, `for the key, a UUID, ${what}`);
  }),
];

/** A message that takes some seconds and whose key is recognized. While the chat is busy, a different key is refused without effect. */
async function givenKnownAgain(api: Api, chat: Chat, keyOf: (fresh: string) => string): Promise<Sent> {
  const sent = await givenSent(api, chat, api.session.target.assistant.slowPrompt, { keyOf });
  const known = await sendAgain(api, sent);
  if (!isSame(sent, known))
    throw new Blocked(`the key itself is not recognized when it is repeated: ${summary(known)}`);
  return sent;
}

/**
 * Whether waiting for a rate limit was tried: a busy chat that answers 429 would cost that time for each key. And whether
 * the chat lets messages wait for each other's responses: each key would then cost the time of a slow one.
 */
const limitedIn = perCheck(() => ({ isWaitedFor: false, isQueueing: false }));

/** An accepted message is answered at once unless it waited for a response, or nearly so, in milliseconds. */
const atOnceMs = 1000;

async function mustDiffer(api: Api, sent: Sent, [what, key]: KeyVariant): Promise<void> {
  const limited = limitedIn(api);
  const message = limited.isQueueing ? api.session.target.assistant.quickPrompt : sent.text;
  const draft = { message, keyOf: () => key };
  let answer = await send(api, sent.chat, draft, { patient: false });
  if (answer.status === 429 && !limited.isWaitedFor) {
    limited.isWaitedFor = true;
    answer = await send(api, sent.chat, draft);
  }
  // A key that is drawn twice repeats an older message, not the last one.
  if (isSuccess(answer)) loseTrack(api, sent.chat);
  limited.isQueueing ||= isSuccess(answer) && answer.elapsedMs > atOnceMs;
  mustBeAnother(sent, answer, `for the key ${what}`);
}
