import { countLagMs, patienceMs } from '../../stage/attachment/count-lag.ts';
import { countIn, readAccount } from '../../stage/attachment/counts.ts';
import { givenStillCount } from '../../stage/lists/stillness.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { sinceChange } from '../../engine/session/used-up.ts';
import type { AccountFacts } from './sequence-world.ts';

/**
 * Accepted attachments that take effect only when they are repeated: `counted` is too low for long, and rises when each organization is
 * attached again. What was attached before the run does not count then either. The evidence is the repetitions that were accepted, and
 * the account after them. Undefined if the count does not rise.
 */
export async function lostAttachment(
  api: Api,
  { attachable, attached }: AccountFacts,
  counted: number,
): Promise<{ readonly counted: number; readonly evidence: readonly Answer[] } | undefined> {
  const { clock } = api.session;
  const { admin, billingAccountId } = attachable;
  await clock.sleep(Math.max(0, patienceMs - sinceChange(api.session, 'attachOrganization')));
  if (countIn(await readAccount(api, attachable)) !== counted) return undefined;
  const repetitions: Answer[] = [];
  for (const organizationId of attached.toReversed())
    repetitions.push(await api.attachOrganization(as(admin), billingAccountId, { organizationId }));
  await clock.sleep(countLagMs(api.session));
  const after = await readAccount(api, attachable);
  const countedAgain = countIn(after);
  if (countedAgain === undefined || countedAgain <= counted) return undefined;
  await givenStillCount(api, billingAccountId);
  return { counted: countedAgain, evidence: [...repetitions.filter(isSuccess), after] };
}
