import type { Answer } from '../../core/exchange.ts';
import { announcedEnd, retryAfterOf, roundingOf } from '../../core/implied-resets.ts';
import { driftOf } from '../../engine/history/judge-resets.ts';
import { unlessBlocked } from '../lists/snapshot.ts';
import type { EarlyEnd } from './early-ends.ts';
import { longestWaitMs, marginOf, recover } from './quiet-wait.ts';
import type { RateProbe } from './rate-probe.ts';
import { refusalsOf, watch, type Watched } from './watch-limit.ts';

/** How long before the announced end of a window a late request is sent, and how much later than now at least, in milliseconds. */
const [beforeEndMs, leastLaterMs] = [600, 100];
/** In this unit, in milliseconds, an end is announced too roughly: the window may be over by then. */
const roughMs = 1000;

/**
 * The answer to one request shortly before the end of a window whose refusals announce one end so far: what is left is computed apart, or
 * is cut to 0 or wraps around there. Undefined where the end is near already or may be
 * earlier than announced, and if the request passes.
 */
export async function lateRefusal({ api, send }: RateProbe, watched: Watched): Promise<Answer | undefined> {
  const { clock } = api.session;
  const leftMs = endOf(watched) - beforeEndMs - clock.now();
  const refusals = refusalsOf(watched.refused);
  if (!(leftMs >= leastLaterMs && leftMs <= longestWaitMs)) return undefined;
  if (watched.passed.length > 0 || roundingOf(refusals) >= roughMs || driftOf(refusals) !== undefined) return undefined;
  await clock.sleep(leftMs);
  const answer = await unlessBlocked(send);
  return answer?.status === 429 ? answer : undefined;
}

/** Whether a refusal asks for more than a month, which is longer than any window: a day's or a month's is legal. */
function isEndless(refused: Answer | undefined): boolean {
  return (retryAfterOf(refused) ?? 0) > 32 * 86_400_000;
}

/** Whether the first refusals of a window announced its end, and a later one of it was endless. */
export function turnedEndless({ refused }: Watched, late: Answer | undefined): boolean {
  return refused.length > 0 && !isEndless(refused[0]) && [refused.at(-1), late].some(isEndless);
}

/**
 * A further window that turns endless and yet is over when its first refusals announced that: a server that takes over may do so once.
 * Undefined if that one does not turn endless, or no request passes then.
 */
export async function endedDespite(probe: RateProbe, first: Watched): Promise<EarlyEnd | undefined> {
  const { clock } = probe.api.session;
  await recover(probe);
  await clock.sleep(retryAfterOf(first.refused[0]) ?? 0); // until the window is over that recovering began
  const watched = await watch(probe, false);
  const late = await lateRefusal(probe, watched);
  const refused = late ?? watched.refused.at(-1);
  if (refused === undefined || !turnedEndless(watched, late)) return undefined;
  const leftMs = endOf(watched) - clock.now();
  if (leftMs <= longestWaitMs) await clock.sleep(leftMs + marginOf(probe, watched.refused, leftMs));
  const accepted = watched.accepted ?? (await unlessBlocked(probe.send));
  return accepted === undefined || accepted.status === 429 ? undefined : { refused, accepted, passed: 1 };
}

/** When the window ends that the last refusal announced, in milliseconds of the clock; NaN if the window is over or has no end. */
function endOf({ refused, accepted }: Watched): number {
  const last = refused.at(-1);
  return (accepted === undefined && last !== undefined ? announcedEnd(last) : undefined) ?? Number.NaN;
}
