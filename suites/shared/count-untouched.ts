import { must } from '../../engine/answer.ts';
import { type Answer, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Attachable } from '../../core/attachables.ts';
import { discardAttachable } from '../../stage/attachment/attachables.ts';
import { readUpToDate } from '../../stage/attachment/counts.ts';
import { at } from '../../core/json.ts';
import { givenStillCount } from '../../stage/lists/stillness.ts';
import { Blocked } from '../../engine/verdict.ts';

/** Requests to attach an organization that must be refused, and organizationCount around them. */
export type Intrusion = { readonly before: number; readonly refused: readonly Answer[]; readonly after: number };

export async function countAround(
  api: Api,
  attachable: Attachable,
  intrude: () => Promise<readonly Answer[]>,
): Promise<Intrusion> {
  const before = await givenOrganizationCount(api, attachable);
  const refused = await intrude();
  return { before, refused, after: await givenOrganizationCount(api, attachable) };
}

/** The refused attachments must leave organizationCount as it was. */
export async function mustNotCount(
  api: Api,
  attachables: readonly [Attachable, ...Attachable[]],
  { before, refused, after }: Intrusion,
): Promise<void> {
  if (after !== before) {
    for (const attachable of attachables) discardAttachable(api, attachable);
    await givenStillCount(api, attachables[0].billingAccountId);
  }
  must(after === before, `organizationCount still ${before}`, String(after), ...refused);
}

/** organizationCount as an admin of the owner reads it. Blocked when there is none: billing.types judges that. */
export async function givenOrganizationCount(api: Api, attachable: Attachable): Promise<number> {
  const answer = await readUpToDate(api, attachable);
  const count = at(answer.json, 'data', 'organizationCount');
  if (typeof count === 'number') return count;
  throw new Blocked(`billing account ${attachable.billingAccountId} shows no organizationCount: ${summary(answer)}`);
}
