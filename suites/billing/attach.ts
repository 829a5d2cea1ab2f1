import { must, mustNotBe5xx, mustNotSucceed, mustSucceed } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { attachedTo } from '../../stage/attachment/attachables.ts';
import {
  type Attached,
  type Attachment,
  givenAcceptedAttachment,
  givenAttachment,
} from '../../stage/attachment/attachment.ts';
import { accountAtOnce, type Count, otherCounts } from '../../stage/attachment/counts.ts';
import { attachedBefore } from '../../engine/session/attached-before.ts';
import { check, type Check } from '../../engine/check.ts';
import { at } from '../../core/json.ts';
import { givenStillCount } from '../../stage/lists/stillness.ts';
import { describe } from '../../core/text.ts';
import { missingOrganization, organizationNotString } from '../../promises/attachment.ts';
import { untilWatched } from '../shared/until-watched.ts';
import { givenWatchedAccount } from '../shared/watched-account.ts';
import { mustLast } from './lasting.ts';
import { mustNotReachAnother } from './other-account.ts';
import { mustShowOneCount } from './one-count.ts';
import { mustNotRiseByReading } from './raised-by-reading.ts';
import { noteMistake } from '../shared/mistakes.ts';
import { mustKeep } from '../shared/must-keep.ts';
import type { RequirementId } from '../../spec/catalogue.ts';
import { mustSucceedAtOnce } from '../shared/transient-errors.ts';
import { Blocked } from '../../engine/verdict.ts';

/** All replicas must show an attachment after this many milliseconds. */
const longLagMs = 30_000;

/** Attachments change counts, so they have their own phase. All these checks judge the same recorded attachments. */
const alone = { phase: 'attachments', uses: ['attachments'] } as const;

/** Section 4.3. */
export const attaching: readonly Check[] = [
  check('attach.success', alone, async (api) => {
    const { attached, attachable } = await givenAttachment(api);
    const [{ first: shown, unproven: nothingShown }] = attached;
    if (nothingShown !== undefined && !isSuccess(shown)) throw new Blocked(nothingShown);
    for (const { first, second, organizationId, unproven } of attached) {
      if (unproven !== undefined && !isSuccess(first)) continue;
      const { admin, owner } = attachable;
      mustSucceed(
        first,
        `for ${admin.name}, a declared admin of the owner ${owner} and of ${organizationId}, which is not attached yet`,
      );
      api.session.observe('attach.status', `${first.status}${fieldsOf(first)}`, first.exchange);
      const again = isSuccess(second) ? `${second.status}` : summary(second);
      api.session.observe('attach.second', again, second.exchange);
    }
  }),

  check('attach.success', { phase: 'last', uses: ['attachments'], variant: 'at-last', extended: true }, async (api) => {
    await givenAcceptedAttachment(api);
    mustSucceedAtOnce(api, 'attachOrganization');
  }),

  check('attach.count', alone, async (api) => {
    const attachment = await givenAcceptedAttachment(api);
    for (const { countBefore, countAfter, first, organizationId } of uncontaminated(attachment)) {
      const before = givenCount(countBefore);
      const expected = `organizationCount ${before + 1} after ${organizationId} was attached, ${before} before`;
      if (countAfter !== before + 1) {
        if (!api.isKnown) await mustNotRiseByReading(api, attachment.attachable);
        await givenStillCount(api, attachment.attachable.billingAccountId);
      }
      must(countAfter === before + 1, expected, `${countAfter ?? 'none'}`, first, attachment.atLast);
    }
    for (const { id, before, after } of attachment.others) await mustNotRise(api, id, before, after);
  }),

  // A job may undo an attachment seconds later. A replica may lag: only what is still behind once all replicas must show the
  // attachments is a violation.
  check('attach.count', { phase: 'later', uses: ['attachments'], variant: 'at-last', extended: true }, async (api) => {
    const { attachable, atLast, countAtLast } = await givenAcceptedAttachment(api);
    const least = givenCount(countAtLast);
    const isBehind = (answer: Answer): boolean => countIn(answer) < least;
    let answers = await givenWatchedAccount(api);
    if (answers.some(isBehind)) {
      const { clock } = api.session;
      await clock.sleep(atLast.exchange.receivedAt + longLagMs - clock.now());
      answers = await accountAtOnce(api, attachable);
      if (answers.every(isBehind)) return mustLast(api, attachable, least);
    }
    // Later attachments raise the count, so a copy that misses one need not be behind.
    await mustShowOneCount(api, attachable, answers);
  }),

  // A copy may show late that another account got the attachment.
  check(
    'attach.count',
    { phase: 'last', uses: ['attachments'], variant: 'others-at-last', extended: true },
    async (api) => {
      const attachment = await givenAcceptedAttachment(api);
      const { attachable, attached, atLast, others } = attachment;
      const untouched = others.filter(({ id }) => attachedTo(api, id, 'perhaps').size === 0);
      if (untouched.length === 0)
        throw new Blocked(
          'needs another billing account that shows its organizationCount and that nothing is attached to',
        );
      await untilWatched(api, [atLast]);
      const counts = await otherCounts(api, attachable);
      const later = untouched.flatMap(({ id, before }) =>
        counts.filter((one) => one.id === id).map((after) => ({ id, before, after })),
      );
      if (later.length === 0) throw new Blocked('no other billing account could be read at the end');
      // What counts in another account counts each time. Another client may have attached fewer.
      const few = later.find(({ before, after }) => after.count > before && after.count < before + attached.length);
      if (few !== undefined)
        throw new Blocked(
          `organizationCount of ${few.id} rose by fewer than the ${attached.length} that this run attached elsewhere: another client attached some`,
        );
      for (const { id, before, after } of later) await mustNotRise(api, id, before, after);
      await mustNotReachAnother(api, attachment);
    },
  ),

  check('attach.twice', alone, async (api) => {
    const { attached, attachable, countAfterAll, countAtLast, atLast } = await givenAcceptedAttachment(api);
    const counted = attached.filter(({ countBefore, countAfter }) => {
      return countAfter !== undefined && countBefore !== undefined && countAfter > countBefore;
    });
    if (counted.length === 0) {
      for (const { countAfter } of attached) givenCount(countAfter);
      throw new Blocked('no attachment was counted at all: attach.count judges that');
    }
    for (const { countAfter, countAfterSecond, organizationId, first, second } of counted) {
      const expected = `organizationCount still ${countAfter} after ${organizationId} was attached again by ${second.exchange.caller}`;
      if (countAfterSecond !== countAfter) await givenStillCount(api, attachable.billingAccountId);
      must(countAfterSecond === countAfter, expected, `${countAfterSecond ?? 'none'}`, first, second);
    }
    if (countAtLast !== countAfterAll) await givenStillCount(api, attachable.billingAccountId);
    const still = `organizationCount still ${countAfterAll} a moment later`;
    must(countAtLast === countAfterAll, still, `${countAtLast ?? 'none'}`, atLast);
  }),

  ...[missingOrganization, organizationNotString].map((promise) =>
    ofRefused(promise.requirement, (answer) => mustKeep(promise, answer, answer)),
  ),
  ...(['attach.unknown-organization', 'attach.unknown-account', 'attach.inexact-id'] as const).map((id) =>
    ofRefused(id, (answer, what) => mustNotSucceed(answer, what)),
  ),

  check('attach.refused-no-effect', alone, async (api) => {
    const { refused, attachable } = await givenAcceptedAttachment(api);
    const really = refused.filter(({ answer }) => !isSuccess(answer));
    if (really.length === 0) throw new Blocked('no attachment was refused');
    for (const { what, together, countBefore, countAfter } of really) {
      const before = givenCount(countBefore);
      if (countAfter !== before) await givenStillCount(api, attachable.billingAccountId);
      const others = together.length > 1 ? ` and ${together.length - 1} other ways that were refused` : '';
      const expected = `organizationCount still ${before} ${what}${others}`;
      must(countAfter === before, expected, `${countAfter ?? 'none'}`, ...together);
    }
  }),

  check('attach.refused-no-5xx', alone, async (api) => {
    const { refused, attached } = await givenAcceptedAttachment(api);
    for (const { what, answer } of refused) mustNotBe5xx(answer, what);
    for (const { second } of attached) mustNotBe5xx(second, 'for an organization that is attached already');
  }),
];

/** The count of an account to which nothing was attached. */
async function mustNotRise(api: Api, id: string, before: number, { count, answer }: Count): Promise<void> {
  if (count > before) await givenStillCount(api, id);
  const expected = `organizationCount of ${id} unchanged, because nothing was attached to it`;
  must(count <= before, expected, `it rose by ${count - before}`, answer);
}

/** Each refused attachment of the kind that the requirement names. The accepted one differs from it in nothing else. */
function ofRefused(id: RequirementId, mustBeRefused: (answer: Answer, what: string) => unknown): Check {
  return check(id, alone, async (api) => {
    const { refused } = await givenAcceptedAttachment(api);
    for (const { kind, what, answer } of refused.filter((one) => id === `attach.${one.kind}`)) {
      api.session.observe('attach.refused-status', `${kind}: ${summary(answer)}`, answer.exchange);
      noteMistake(api, 'attachOrganization', what, answer);
      mustBeRefused(answer, what);
    }
  });
}

/**
 * The attachments of organizations that were not attached before: neither by an earlier run, as far as that is known, nor by
 * an attachment that should have been refused, which breaks only the requirement of that refusal.
 */
function uncontaminated({ attached, refused, probedId }: Attachment): readonly Attached[] {
  const fresh = attached.filter(({ unproven }) => unproven === undefined);
  if (fresh.length === 0) throw new Blocked(attachedBefore);
  const spoilt = refused.some(({ answer, countBefore, countAfter }) => isSuccess(answer) || countBefore !== countAfter);
  const clean = spoilt ? fresh.filter(({ organizationId }) => organizationId !== probedId) : fresh;
  if (clean.length > 0) return clean;
  throw new Blocked(
    'an attachment that should have been refused was carried out earlier: declare a second organization under billingAccounts.<id>.attachable',
  );
}

function givenCount(count: number | undefined): number {
  if (count === undefined) throw new Blocked('the billing account shows no organizationCount');
  return count;
}

/** organizationCount of an answer; infinite if it is absent, because such an answer is not stale. */
function countIn({ json }: Answer): number {
  const count = at(json, 'data', 'organizationCount');
  return typeof count === 'number' ? count : Number.POSITIVE_INFINITY;
}

/** The names of the fields of a success body. */
function fieldsOf({ json }: Answer): string {
  const data = at(json, 'data');
  if (typeof data !== 'object' || data === null) return json === undefined ? ', no body' : `, ${describe(json, 100)}`;
  return `, data with ${Object.keys(data).toSorted().join(', ')}`.slice(0, 300);
}
