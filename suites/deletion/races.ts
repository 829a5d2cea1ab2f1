import { must, mustSucceed } from '../../engine/answer.ts';
import { whyUnproven } from '../../stage/attachment/attachment.ts';
import type { Attachable } from '../../core/attachables.ts';
import { untilCounted } from '../../stage/attachment/count-lag.ts';
import { countIn, readAccount } from '../../stage/attachment/counts.ts';
import { heardMs } from '../../promises/deletion.ts';
import { attachedBefore, mostAttachedBefore } from '../../engine/session/attached-before.ts';
import {
  type AttachmentRace,
  givenAttachmentRace,
  givenRacedAttachments,
  raceTwoMore,
} from '../../stage/attachment/attachment-race.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { fateOf } from '../../stage/deletion/deletion.ts';
import { type DeletionRace, deletionTwins, givenDeletionRace } from '../../stage/deletion/deletion-race.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Order } from '../../engine/history/find-order.ts';
import { effectOf, internalErrorsIn, type Raced } from '../../engine/race.ts';
import { stringAt } from '../../core/json.ts';
import { givenStillCount } from '../../stage/lists/stillness.ts';
import { describe } from '../../core/text.ts';
import { mustBeAccidents } from '../shared/transient-errors.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';

/** How long a count is watched that rose when nothing new was attached, in milliseconds. */
const restlessMs = 20_000;

/** Extended, because they use up more fixtures than the checks of a single attachment and deletion for the same requirements. */
const options = { variant: 'at-once', extended: true } as const;
const deletions = { ...options, phase: 'deletions', uses: ['deletions'] } as const;
const attachments = { ...options, phase: 'attachments', uses: ['attachments'] } as const;

/**
 * Sections 4.3 and 4.6, for requests that overlap. What was recorded is a violation only where no order of the requests,
 * each taking effect between being sent and being answered, explains it.
 */
export const races: readonly Check[] = [
  check('delete.gone-or-marked', deletions, async (api) => {
    const race = await givenDeletionRace(api);
    for (const { disposable, attempts, order, lanes } of race.deletions) {
      if (order !== 'none') continue;
      const among = race.deletions.length;
      const expected = `${describe(disposable.id)} gone from the list or marked as deleted after its deletion, one of ${among} at the same time`;
      const evidence = [...answersTo(attempts), ...pagesOf(race)].map(({ exchange }) => exchange);
      throw new Violation(expected, 'no possible order of the requests explains the lists', evidence, lanes);
    }
    mustBeDecided(race.deletions.map(({ order }) => order));
  }),

  check('delete.others-untouched', deletions, async (api) => {
    const { pages } = await givenDeletionRace(api);
    if (pages.length === 0) throw new Blocked('no list could be read during the deletions');
    for (const { answer, missing } of pages) {
      const actual = `${missing.length} missing, such as ${describe(missing[0]?.id)}, listed before and after`;
      must(missing.length === 0, 'the other data sources to stay listed while some are being deleted', actual, answer);
    }
  }),

  check('delete.record', deletions, async (api) => {
    const race = await givenDeletionRace(api);
    for (const deletion of race.deletions) {
      const { disposable, attempts, wasUnknown } = deletion;
      if (wasUnknown) await mustBeKnown(api, race, deletion);
      for (const answer of answersTo(attempts).filter(isSuccess)) {
        const shown = stringAt(answer.json, 'data', 'id');
        const expected = `data with id ${describe(disposable.id)}, deleted at the same time as another`;
        must(shown === undefined || shown === disposable.id, expected, describe(shown), answer);
      }
    }
  }),

  check('delete.twice-no-5xx', deletions, async (api) => {
    const race = await givenDeletionRace(api);
    const rounds = race.deletions.map(({ attempts }) => internalErrorsIn(attempts));
    const expected = 'no 5xx for several deletions of one data source at once';
    mustBeAccidents(api, 'deleteDataSource', rounds, deletionTwins, expected);
  }),

  check('attach.success', attachments, async (api) => {
    const { rounds, count, attachables, attempts } = await givenRacedAttachments(api);
    const expected = 'an organization attached by one of several requests at once, and no internal errors';
    if (rounds.length > 0) mustBeAccidents(api, 'attachOrganization', rounds, count, expected);
    for (const [index, attachable] of attachables.entries()) {
      const some = attempts[index] ?? [];
      if (some.every((one) => effectOf(one) === 'refused')) await mustAttachAlone(api, attachable);
    }
  }),

  check('attach.twice', attachments, async (api) => {
    const race = await givenAttachmentRace(api);
    const { countBefore, countAfter, attachables } = race;
    const most = countBefore + attachables.length;
    const expected = `organizationCount at most ${most} after ${namesOf(race)} attached by several requests at once`;
    if (countAfter > most) {
      await givenStillCount(api, accountOf(race));
      throw inexplicable(race, expected, `${countAfter}`);
    }
    mustBeDecided([race.order]);
  }),

  check('attach.count', attachments, async (api) => {
    const race = await givenAttachmentRace(api);
    const { countBefore, countAfter, attachables } = race;
    const most = countBefore + attachables.length;
    if (countAfter > most) {
      await givenStillCount(api, accountOf(race));
      throw new Blocked(
        'an organization was counted twice, or another client attached one meanwhile: attach.twice judges that',
      );
    }
    const expected = `organizationCount ${most} after ${namesOf(race)} attached at once, ${countBefore} before`;
    const uncounted = most - countAfter;
    const mostBefore = mostAttachedBefore(api.session, accountOf(race));
    if (uncounted > 0 && uncounted <= mostBefore) await mustBeFewer(api, race, mostBefore);
    if (race.order === 'none') {
      await givenStillCount(api, accountOf(race));
      throw inexplicable(race, expected, `${countAfter}, or another count meanwhile`);
    }
    if (attachables.length < 2) {
      throw new Blocked('needs two more organizations: declare four or more under billingAccounts.<id>.attachable');
    }
    mustBeDecided([race.order]);
  }),
];

/** Requests at once may be refused because of each other. One that is sent alone has no such reason. */
async function mustAttachAlone(api: Api, attachable: Attachable): Promise<void> {
  const { admin, owner, billingAccountId, organizationId } = attachable;
  const answer = await api.attachOrganization(as(admin), billingAccountId, { organizationId });
  if (isSuccess(answer)) return;
  const doubt = await whyUnproven(api, attachable, answer);
  if (doubt !== undefined) throw new Blocked(doubt);
  const role = `a declared admin of the owner ${owner} and of ${organizationId}, which is not attached yet`;
  mustSucceed(answer, `for ${admin.name}, ${role}, after several requests at once were refused`);
}

/** A data source that no deletion finds is not listed: not as before, when every copy of the list must show what others deleted. */
async function mustBeKnown(
  api: Api,
  { after }: DeletionRace,
  { disposable, attempts }: DeletionRace['deletions'][number],
): Promise<void> {
  if (fateOf(after.items, disposable) !== 'as before') return;
  const { organizationId, id, admin } = disposable;
  // Requests at once may be refused because of each other.
  const alone = await api.deleteDataSource(as(admin), organizationId, id);
  const answers = [...answersTo(attempts).slice(0, 1), alone];
  const expected = `a deletion of ${describe(id)}, which was listed before and after it, not answered as that of an unknown ID`;
  must(alone.status !== answers[0]?.status, expected, summary(alone), ...answers);
}

/**
 * Organizations that a race left uncounted may have been attached before the run, but no more of them than the account counted
 * then. Further races show whether there are more, while enough organizations are declared.
 */
async function mustBeFewer(api: Api, first: AttachmentRace, mostBefore: number): Promise<never> {
  await mustNotCountAgain(api, first);
  const races: AttachmentRace[] = [first];
  while (uncountedIn(races) <= mostBefore) {
    // If the last race left none uncounted, those of the others were perhaps attached before.
    const recurs = uncountedIn(races.slice(-1)) > 0;
    const more = recurs ? await raceTwoMore(api, first, mostBefore + 1 - uncountedIn(races)) : undefined;
    if (more === undefined) throw new Blocked(attachedBefore);
    races.push(more);
  }
  await givenStillCount(api, accountOf(first));
  const expected = `at most ${mostBefore} of the organizations that were attached at once uncounted, because organizationCount before the run shows that no more were attached`;
  const actual = `${uncountedIn(races)} uncounted: ${races.map((race) => `${namesOf(race)} attached at once, and organizationCount went from ${race.countBefore} to ${race.countAfter}`).join('; ')}`;
  throw new Violation(
    expected,
    actual,
    races.flatMap(({ before, attempts, after }) =>
      [before, ...attempts.flatMap(answersTo), after].map(({ exchange }) => exchange),
    ),
  );
}

/** What was attached before the run is counted, and so does not count when it is attached again. */
async function mustNotCountAgain(api: Api, race: AttachmentRace): Promise<void> {
  const [first] = race.attachables;
  const { after, countBefore, countAfter, attachables } = race;
  // A copy of the count may lag.
  await api.session.clock.sleep(after.exchange.receivedAt + heardMs - api.session.clock.now());
  if (countIn(await readAccount(api, first)) !== countAfter) return;
  const again: Answer[] = [];
  for (const { admin, billingAccountId, organizationId } of attachables)
    again.push(await api.attachOrganization(as(admin), billingAccountId, { organizationId }));
  await untilCounted(api.session);
  const counted = countIn(await readAccount(api, first)) ?? countAfter;
  if (counted <= countAfter) return;
  // Another client may have attached one at that moment.
  await api.session.clock.sleep(restlessMs);
  if (countIn(await readAccount(api, first)) !== counted) return;
  await givenStillCount(api, accountOf(race));
  const expected = `organizationCount still ${countAfter} after ${namesOf(race)} attached again, because it counted what was attached at once`;
  const actual = `${counted}: when they were attached at once, it went from ${countBefore} to ${countAfter} without one of them`;
  must(false, expected, actual, ...answersTo(race.attempts.flat()), after, ...again);
}

function uncountedIn(races: readonly AttachmentRace[]): number {
  return races.reduce((sum, race) => sum + race.attachables.length - (race.countAfter - race.countBefore), 0);
}

function mustBeDecided(orders: readonly Order[]): void {
  if (orders.includes('undecided')) throw new Blocked('too many requests overlapped to try every possible order');
}

function namesOf({ attachables }: AttachmentRace): string {
  const names = attachables.map(({ organizationId }) => describe(organizationId));
  return `${names.join(' and ')} ${names.length > 1 ? 'were' : 'was'}`;
}

function accountOf({ attachables: [first] }: AttachmentRace): string {
  return first?.billingAccountId ?? '';
}

function inexplicable({ before, attempts, after, lanes }: AttachmentRace, expected: string, actual: string): Violation {
  const evidence = [before, ...attempts.flatMap(answersTo), after].map(({ exchange }) => exchange);
  return new Violation(expected, actual, evidence, lanes);
}

function answersTo(attempts: readonly Raced[]): readonly Answer[] {
  return attempts.flatMap(({ answer }) => (answer === undefined ? [] : [answer]));
}

function pagesOf({ pages }: DeletionRace): readonly Answer[] {
  return pages.slice(-2).map(({ answer }) => answer);
}
