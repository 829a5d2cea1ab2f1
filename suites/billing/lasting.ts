import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Attachable } from '../../core/attachables.ts';
import { takeAnother } from '../../stage/attachment/attachables.ts';
import { countIn, countWhen, readAccount } from '../../stage/attachment/counts.ts';
import { Blocked } from '../../engine/verdict.ts';

/** How often an attachment has to be lost before this run's own request is the cause. */
const losses = 3;
/** An attachment that holds for this many milliseconds is not lost because it was made. */
const holdsMs = 15_000;
const lookEveryMs = 250;
/** What one attachment loses after so many milliseconds, the others lose after at most this many times as long. */
const spread = 1.2;

/**
 * Attaches an organization again whose attachment is no longer counted. If the count does not rise, because the organization is still
 * attached, it attaches other organizations instead. Another client may have detached it, so this is a violation only if each attachment is lost after the same time. Each one is
 * made after another pause, because a client that detaches everything at regular times would otherwise look the same. Blocked if the
 * times differ.
 */
export async function mustLast(api: Api, attachable: Attachable, least: number): Promise<void> {
  const elsewhere = `organizationCount fell below ${least}: another client detached an organization`;
  const evidence: Answer[] = [];
  const lostAfterMs: number[] = [];
  const again = await attachAndCount(api, attachable);
  const next = () => attachAndCount(api, again === undefined ? takeAnother(api, attachable, 'to spare') : attachable);
  for (let made = again ?? (await next()); ; made = await next()) {
    const lost = made && (await whenLost(api, attachable, made.counted));
    if (made === undefined || lost === undefined) throw new Blocked(elsewhere);
    evidence.push(made.attached, lost);
    lostAfterMs.push(lost.exchange.receivedAt - made.attached.exchange.receivedAt);
    if (lostAfterMs.length === losses) break;
    await api.session.clock.sleep(((lostAfterMs.at(-1) ?? 0) * lostAfterMs.length) / losses);
  }
  const [soonest, latest] = [Math.min(...lostAfterMs), Math.max(...lostAfterMs)];
  if (latest > spread * (soonest + lookEveryMs)) throw new Blocked(elsewhere);
  const seconds = lostAfterMs.map((ms) => (ms / 1000).toFixed(1)).join(', ');
  const actual = `it fell back ${seconds} s after each of ${losses} attachments`;
  must(false, 'an organizationCount that keeps counting an attached organization', actual, ...evidence);
}

/** The answer to an attachment, and organizationCount with it; undefined if it is not counted. */
async function attachAndCount(
  api: Api,
  attachable: Attachable | undefined,
): Promise<{ readonly attached: Answer; readonly counted: number } | undefined> {
  if (attachable === undefined) return undefined;
  const before = countIn(await readAccount(api, attachable));
  const { admin, billingAccountId, organizationId } = attachable;
  const attached = await api.attachOrganization(as(admin), billingAccountId, { organizationId });
  if (before === undefined || !isSuccess(attached)) return undefined;
  const counted = await countWhen(api, attachable, before + 1);
  return counted === before + 1 ? { attached, counted } : undefined;
}

/** The answer that no longer counts an organization; undefined if it stays counted. */
async function whenLost(api: Api, attachable: Attachable, counted: number): Promise<Answer | undefined> {
  const { clock } = api.session;
  const endAt = clock.now() + holdsMs;
  while (clock.now() < endAt) {
    await clock.sleep(lookEveryMs);
    const answer = await readAccount(api, attachable);
    if ((countIn(answer) ?? counted) < counted) return answer;
  }
  return undefined;
}
