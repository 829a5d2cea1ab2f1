import { must } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { type MissedEnds, missedEnds } from '../../engine/session/waits/missed-ends.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenChat, makeIdle, readSent } from '../../stage/chats/conversation.ts';
import { sendAgain, sendWhenFree } from '../../stage/chats/sending.ts';
import { declaredMaximumWait } from '../../engine/session/waits/choose-wait.ts';

/** Fewer may be chance: a response may finish just as its wait ends. Some responses may always take as long as one wait. */
const leastMissed = 3;
const leastWaits = 2;

/** Messages that are sent if some waits may have missed the end of their response. */
const mostMessages = 12;

/** A deployment that misses the end of some responses answers the requests that wait for them when their waits are over. */
export async function mustNotMissEnds(api: Api): Promise<void> {
  const seen = givenEnds(api);
  if (seen.missed.length > 0 || seen.mayHaveMissed) await watchEnds(api);
  const { missed, usualMs, held } = givenEnds(api);
  must(
    !areMissed(missed),
    'an answer when the response has finished',
    `${missed.length} of ${held} requests held for their whole wait, although the response was finished then, and half of the others within ${Math.round(usualMs)} ms`,
    ...missed.slice(0, leastMissed).flatMap(({ answers }) => answers),
  );
}

function areMissed(missed: MissedEnds['missed']): boolean {
  return missed.length >= leastMissed && new Set(missed.map(({ waitMs }) => waitMs)).size >= leastWaits;
}

function givenEnds({ session }: Api): MissedEnds {
  const ends = missedEnds(session);
  if (ends === undefined) throw new Blocked('no response finished before its wait was over');
  return ends;
}

/** Repeats each message at once whose wait ended without its response: that shows whether the response was finished. */
async function watchEnds(api: Api): Promise<void> {
  const { quickPrompt } = api.session.target.assistant;
  const chat = await givenChat(api);
  for (let sent = 0; sent < mostMessages && !areMissed(givenEnds(api).missed); sent += 1) {
    await makeIdle(api, chat);
    const { missed, enough } = givenEnds(api);
    const wait = Math.min(declaredMaximumWait(api.session), enough + (missed.length % leastWaits));
    let key = '';
    const keyOf = (fresh: string): string => (key = fresh);
    const answer = await sendWhenFree(api, chat, { message: quickPrompt, wait, keyOf });
    if (answer.status === 202) await sendAgain(api, readSent(chat, key, quickPrompt, answer), { wait });
  }
}
