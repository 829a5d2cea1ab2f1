import { isSuccess } from '../../core/exchange.ts';
import { must } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { attachedTo, takeElsewhere } from '../../stage/attachment/attachables.ts';
import type { Attachment } from '../../stage/attachment/attachment.ts';
import { untilCounted } from '../../stage/attachment/count-lag.ts';
import { countIn, readAccount, readUpToDate } from '../../stage/attachment/counts.ts';
import { givenStillCount } from '../../stage/lists/stillness.ts';

/**
 * An organization counts in the account that the path names. The recorded attachments show that of one account, so at the end one
 * organization is attached to another account, if the target file allows that. Only a count above all that this run attached shows a
 * violation, because a copy may lag.
 */
export async function mustNotReachAnother(api: Api, { attachable, attached }: Attachment): Promise<void> {
  const [{ countBefore }] = attached;
  const elsewhere = countBefore === undefined ? undefined : takeElsewhere(api, attachable);
  if (countBefore === undefined || elsewhere === undefined) return;
  const { billingAccountId } = attachable;
  const most = countBefore + attachedTo(api, billingAccountId, 'perhaps').size;
  const before = countIn(await readUpToDate(api, attachable)) ?? Number.POSITIVE_INFINITY;
  if (before > most) return;
  const { admin, billingAccountId: other, organizationId } = elsewhere;
  const answer = await api.attachOrganization(as(admin), other, { organizationId });
  if (!isSuccess(answer)) return;
  await untilCounted(api.session);
  const last = await readAccount(api, attachable);
  const count = countIn(last) ?? before;
  if (count > most) await givenStillCount(api, billingAccountId);
  const expected = `organizationCount of ${billingAccountId} at most ${most} after ${organizationId} was attached to ${other}`;
  must(count <= most, expected, `${count}`, answer, last);
}
