import { countLagMs, patienceMs } from './count-lag.ts';
import { type Count, countIn, countWhen, otherCounts, readAccount, readNoEarlier } from './counts.ts';
import { type Answer, isDoubtful, isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Attachable } from '../../core/attachables.ts';
import { otherAdmin, takeAnother, takeAttachable, takeLast, takeWhereTwoMay } from './attachables.ts';
import {
  attachedBefore,
  mayBeAttachedBefore,
  rememberCount,
  seemsAttachedBefore,
} from '../../engine/session/attached-before.ts';
import { listOperations } from '../../core/page.ts';
import { shared } from '../../engine/fixture.ts';
import { givenLists } from '../lists/lists.ts';
import { unlessBlocked } from '../lists/snapshot.ts';
import { mistyped, organization } from '../existence.ts';
import { type RefusalKind, wrongAttachments } from './wrong-attachments.ts';
import type { Principal } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';

/**
 * An attachment that must be refused, with a description of what is wrong, and organizationCount before and after it and all
 * that were refused together with it.
 */
export type Refused = {
  readonly kind: RefusalKind;
  readonly what: string;
  readonly answer: Answer;
  readonly together: readonly Answer[];
  readonly countBefore: number | undefined;
  readonly countAfter: number | undefined;
};

/** An organization attached twice. Counts are organizationCount, undefined if the account shows none. */
export type Attached = {
  readonly organizationId: string;
  /** Why its answers prove nothing: it may have been attached before the run, or an ID may be wrong. */
  readonly unproven: string | undefined;
  readonly countBefore: number | undefined;
  /** Another admin's attachment of it, which was denied before the first. */
  readonly denied: { readonly admin: Principal; readonly answer: Answer } | undefined;
  readonly first: Answer;
  readonly countAfter: number | undefined;
  readonly second: Answer;
  readonly countAfterSecond: number | undefined;
};

/** The attachments of one billing account, recorded once in a run for every check that judges them. */
export type Attachment = {
  readonly attachable: Attachable;
  readonly refused: readonly Refused[];
  /** The organization that the refused attachments named. */
  readonly probedId: string;
  /** One organization, or two if two are declared, because a count may be right only once. The first is the best evidence. */
  readonly attached: readonly [Attached, ...Attached[]];
  /** After the latest of all attachments. */
  readonly countAfterAll: number | undefined;
  /** The account at the end. */
  readonly atLast: Answer;
  readonly countAtLast: number | undefined;
  /** Counts of the other accounts that can be read, before and at the end. */
  readonly others: readonly { readonly id: string; readonly before: number; readonly after: Count }[];
};

/** The recorded attachments. Blocked if nothing may be attached. */
export const givenAttachment = shared(async (api: Api): Promise<Attachment> => {
  const attachable = takeAttachable(api);
  const next = takeLast(api, attachable);
  // At the end of a run, they show whether an attachment changed data.
  for (const list of listOperations) await unlessBlocked(() => givenLists(api, list));
  const othersBefore = await otherCounts(api, attachable);
  for (const { id, count } of othersBefore) rememberCount(api.session, id, count);
  // An unattached organization is the best evidence that a refused attachment was carried out.
  const { refused, count } = await sendRefused(api, next ?? attachable);
  const { attached, countAfterAll } = await attachSome(api, attachable, next, count);
  // The count may still change, because it may lag.
  await api.session.clock.sleep(countLagMs(api.session) / 2);
  const atLast = await readNoEarlier(api, attachable, countAfterAll);
  const othersAfter = await otherCounts(api, attachable);
  const others = othersBefore.flatMap(({ id, count }) => {
    const after = othersAfter.find((other) => other.id === id);
    return after === undefined ? [] : [{ id, before: count, after }];
  });
  const probedId = (next ?? attachable).organizationId;
  return { attachable, refused, probedId, attached, countAfterAll, atLast, others, countAtLast: countIn(atLast) };
});

/** The recorded attachments; the first is accepted. Blocked if it was refused: attach.success judges that. */
export async function givenAcceptedAttachment(api: Api): Promise<Attachment> {
  const attachment = await givenAttachment(api);
  const [{ first, organizationId, unproven }] = attachment.attached;
  if (isSuccess(first)) return attachment;
  throw new Blocked(unproven ?? `attaching ${organizationId} was refused: ${summary(first)}`);
}

/** Attaches two organizations that do not look attached before the run, or others if there are not enough. */
async function attachSome(
  api: Api,
  attachable: Attachable,
  next: Attachable | undefined,
  countBefore: number | undefined,
): Promise<Pick<Attachment, 'attached' | 'countAfterAll'>> {
  const { billingAccountId } = attachable;
  const fresh: Attached[] = [];
  const doubtful: Attached[] = [];
  let count = countBefore;
  rememberCount(api.session, billingAccountId, count);
  // One organization is attached twice by the same admin, and another one by two admins, where there are two.
  const byOther = [next, attachable].find((one) => one !== undefined && otherAdmin(api, one) !== undefined);
  let candidate: Attachable | undefined = attachable;
  while (candidate !== undefined && fresh.length < 2) {
    const other = candidate === byOther ? otherAdmin(api, candidate) : undefined;
    // The second one is named with escapes and white space, because a careless parser keeps them.
    const text = candidate === next ? escapedBody(candidate) : undefined;
    const done: Attached = await attachTwice(api, candidate, count, { other, text });
    count = done.countAfterSecond;
    if (done.unproven !== undefined) {
      if (done.unproven === attachedBefore) seemsAttachedBefore(api.session, billingAccountId, done.organizationId);
      doubtful.push(done);
    } else fresh.push(done);
    candidate = candidate === attachable ? next : doubtful.length > 0 ? takeAnother(api, attachable) : undefined;
  }
  const [first, ...others] = [...fresh, ...doubtful];
  if (first === undefined) throw new Error('the first candidate was not tried');
  return { attached: [first, ...others.slice(0, 1)], countAfterAll: count };
}

/** Statuses for refusing an organization that is already attached. */
const alreadyStatuses: ReadonlySet<number> = new Set([400, 409, 422]);

/** Statuses for refusing a caller who lacks a role. */
const deniedStatuses: ReadonlySet<number> = new Set([401, 403, 404]);

async function attachTwice(
  api: Api,
  attachable: Attachable,
  countBefore: number | undefined,
  { other = attachable.admin, text }: { readonly other: Principal | undefined; readonly text: string | undefined },
): Promise<Attached> {
  const { billingAccountId, organizationId, admin } = attachable;
  const { first, denied } = await attachAs(api, attachable, other, text);
  const attachedAt = api.session.clock.now();
  const countAfter = await countWhen(api, attachable, countBefore === undefined ? undefined : countBefore + 1);
  const hasWaited = api.session.clock.now() >= attachedAt + patienceMs;
  const attachAgain = (who: Principal) => api.attachOrganization(as(who), billingAccountId, { organizationId });
  // Each of two admins repeats it.
  if (other !== admin && denied === undefined) await attachAgain(other);
  const second = await attachAgain(admin);
  const countAfterSecond = countIn(await readNoEarlier(api, attachable, countAfter));
  const isUncounted = countBefore !== undefined && countAfter === countBefore;
  // What was attached before the run does not count the second time either.
  const countsAgain = isUncounted && hasWaited && countAfterSecond === countBefore + 1;
  const looksAttached = isSuccess(first) ? isUncounted && !countsAgain : alreadyStatuses.has(first.status);
  const unproven = await whyUnproven(api, attachable, first, looksAttached);
  return { organizationId, unproven, countBefore, denied, first, countAfter, second, countAfterSecond };
}

/** JSON with white space, in which each character of the ID is an escape. */
function escapedBody({ organizationId }: Attachable): string {
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `{\n  "organizationId" : "${organizationId.replaceAll(/[^]/g, escape)}"\n}\n`;
}

/** Attaches as `other`, and after a denial as the admin who attaches everything else. */
async function attachAs(
  api: Api,
  { billingAccountId, organizationId, admin }: Attachable,
  other: Principal,
  text?: string,
): Promise<Pick<Attached, 'first' | 'denied'>> {
  const attach = (who: Principal) => api.attachOrganization(as(who), billingAccountId, { organizationId }, { text });
  const answer = await attach(other);
  const isDenied = other !== admin && deniedStatuses.has(answer.status) && !isDoubtful(answer);
  return isDenied
    ? { first: await attach(admin), denied: { admin: other, answer } }
    : { first: answer, denied: undefined };
}

/**
 * The attachment of another organization by the second of its two admins, where the recorded ones have one admin each. Undefined if
 * no such organization is left.
 */
export async function attachWhereTwoMay(
  api: Api,
): Promise<(Pick<Attached, 'first' | 'denied'> & Pick<Attachable, 'organizationId'>) | undefined> {
  const { attachable, attached } = await givenAttachment(api);
  const hasTwo = attached.some(
    ({ organizationId }) => otherAdmin(api, { ...attachable, organizationId }) !== undefined,
  );
  const another = hasTwo ? undefined : takeWhereTwoMay(api);
  const other = another === undefined ? undefined : otherAdmin(api, another);
  if (another === undefined || other === undefined) return undefined;
  return { organizationId: another.organizationId, ...(await attachAs(api, another, other)) };
}

/** Why the answer to an attachment proves nothing, as in {@link Attached}. By default, its status says whether it looks attached. */
export async function whyUnproven(
  api: Api,
  attachable: Attachable,
  answer: Answer,
  looksAttached = alreadyStatuses.has(answer.status),
): Promise<string | undefined> {
  const maybeBefore = looksAttached && mayBeAttachedBefore(api.session, attachable.billingAccountId);
  return isDoubtful(answer) || maybeBefore ? attachedBefore : wrongId(api, attachable, answer);
}

/** The sentence about an ID in the target file that may be wrong, so that the attachment was refused. */
async function wrongId(
  api: Api,
  { billingAccountId, organizationId, owner, admin }: Attachable,
  got: Answer,
): Promise<string | undefined> {
  const account = { kind: 'account', id: billingAccountId, ownerId: owner } as const;
  return (await mistyped(api, organization(organizationId), admin, got)) ?? mistyped(api, account, admin, got);
}

/** Sends the attachments that must be refused. Also gives organizationCount after them. */
async function sendRefused(
  api: Api,
  attachable: Attachable,
): Promise<{ readonly refused: readonly Refused[]; readonly count: number | undefined }> {
  const { billingAccountId, admin } = attachable;
  const refused: Refused[] = [];
  let group: Pick<Refused, 'kind' | 'what' | 'answer'>[] = [];
  let countBefore = countIn(await readAccount(api, attachable));
  const endGroup = async (): Promise<void> => {
    const countAfter = countIn(await readAccount(api, attachable));
    const together = group.filter(({ answer }) => !isSuccess(answer)).map(({ answer }) => answer);
    const accepted = group.length - together.length;
    // One that is accepted may count, and then the others did not.
    const isExplained = countBefore !== undefined && countAfter === countBefore + accepted;
    for (const one of group) {
      const isOther = isExplained && !isSuccess(one.answer);
      refused.push({ ...one, together, countBefore, countAfter: isOther ? countBefore : countAfter });
    }
    countBefore = countAfter;
    group = [];
  };
  for (const { kind, what, body, text, contentType, account } of wrongAttachments(api, attachable)) {
    const written = { text, contentType };
    const answer = await api.attachOrganization(as(admin), account ?? billingAccountId, body, written);
    group.push({ kind, what, answer });
    if (isSuccess(answer)) await endGroup();
  }
  if (group.length > 0) await endGroup();
  return { refused, count: countBefore };
}
