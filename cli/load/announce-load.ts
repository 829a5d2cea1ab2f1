import type { SideEffect, Target } from '../../core/target.ts';
import { lastLooks, leastEndedFor, neverJudged } from '../../load/judge/abort-condition.ts';
import { effectOf, isOnceEntry } from '../../load/profile/mix.ts';
import type { Profile } from '../../load/profile/profile.ts';
import { type Shard, wholeLoad } from '../../load/schedule/arrivals.ts';
import { createRequestPlan, type RequestPlan } from '../../load/schedule/request-plan.ts';
import { some } from '../../reports/text/figures.ts';
import { shapeLines } from '../../load/schedule/shape-lines.ts';
import { UserError } from '../shared/user-error.ts';

/** What a profile sends to a target from its mix, without what is left out. */
function planOf({ mix, timeoutMs }: Profile, target: Target): RequestPlan {
  const profile = { mix, timeoutMs };
  return createRequestPlan({ target, profile, seed: 1, shard: wholeLoad, runId: '', now: () => 0 });
}

/** Every side effect of a profile on a target: those of its load, and those of its mix. */
function effectsOf(profile: Profile, target: Target): readonly SideEffect[] {
  const ofMix = planOf(profile, target).operations.flatMap((operation) => effectOf[operation] ?? []);
  return [...new Set(['load' as const, ...ofMix, ...profile.load.effects])];
}

/** Throws UserError if the target file does not allow the side effects of the load or its rate, or declares nothing for it. */
export function refuseUnlessAllowed(profile: Profile, target: Target): void {
  const { allow, limits } = target;
  const needed = effectsOf(profile, target);
  const missing = needed.filter((effect) => !allow.has(effect));
  if (missing.length > 0) {
    throw new UserError(
      `${profile.name} needs allow: [${needed.join(', ')}] in the target file; ${missing.join(' and ')} is missing.`,
    );
  }
  refuseWithoutOperations(profile, target);
  const peak = profile.load.peakPerSecond;
  if (peak !== undefined && peak > limits.maxRequestsPerSecond) {
    throw new UserError(
      `${profile.name} sends up to ${peak} requests a second, but limits.maxRequestsPerSecond of the target file is ${limits.maxRequestsPerSecond}: raise the limit, or use a profile that sends less.`,
    );
  }
}

/** Throws UserError if the target file declares nothing that the profile asks for. */
function refuseWithoutOperations(profile: Profile, target: Target): void {
  if (profile.mix.length === 0) return;
  const { operations, missing } = planOf(profile, target);
  if (operations.length === 0) throw new UserError(`${profile.name} has nothing to send: ${missing.join('; ')}.`);
}

/** The warning appears if the limit is less than this many standard deviations above the rate. */
const usualDeviations = 3;

/** Warns that random arrivals exceed their rate in many seconds, and a limit near the rate in some. */
function warning({ load: { schedule, peakPerSecond = 0 } }: Profile, { limits }: Target, shard: Shard): string {
  const most = limits.maxRequestsPerSecond;
  const likely = peakPerSecond + usualDeviations * Math.sqrt(peakPerSecond * shard.of);
  if (schedule?.arrivals !== 'poisson' || likely <= most) return '';
  return ` Random arrivals exceed ${most} requests a second at times (limits.maxRequestsPerSecond); the requests above it are dropped.`;
}

/** The conditions to end a run that never will, one line each; none where answers set the pace. */
export function neverJudgedOf({ abort, load: { peakPerSecond } }: Profile): readonly string[] {
  if (peakPerSecond === undefined) return [];
  return neverJudged(abort, peakPerSecond).map((condition) => {
    const needed = `${some(leastEndedFor(condition), 'request')} in ${lastLooks} seconds`;
    return `abort: ${condition.text} needs ${needed}. This load sends at most ${peakPerSecond}/s, so the condition never ends it.`;
  });
}

/** The rate of a profile over time, as lines for a terminal; none if it never changes. */
export function shapeOf({ load: { curve } }: Profile): readonly string[] {
  return curve === undefined ? [] : shapeLines(curve);
}

/** What the run will send, in a sentence or two. */
export function announcement(profile: Profile, target: Target, shard: Shard): string {
  const { name, load, warmUpMs } = profile;
  const { plannedMs, besideMs } = load;
  const time = plannedMs === undefined ? '' : ` in ${Math.ceil((plannedMs + warmUpMs + besideMs) / 1000)} s`;
  const part = shard.of === 1 ? '' : `, as part ${shard.index} of ${shard.of}`;
  const { operations } = planOf(profile, target);
  const names = operations.length === 0 ? '' : `: ${operations.join(', ')}`;
  return `${name} sends ${load.describe(profile, target)}${time}${part} to ${target.baseUrl}${names}. ${effectsText(profile, target)}${warning(profile, target, shard)}`;
}

/** What a profile changes on a target, in a sentence. */
function effectsText(profile: Profile, target: Target): string {
  const effects = effectsOf(profile, target);
  const most = (effect: SideEffect) =>
    profile.mix.reduce(
      (sum, entry) => sum + (isOnceEntry(entry) && effectOf[entry.operation] === effect ? entry.most : 0),
      0,
    );
  const parts = [
    ...(effects.includes('messages') ? ['writes messages'] : []),
    ...(effects.includes('attachments')
      ? [`attaches up to ${some(most('attachments'), 'declared organization')}`]
      : []),
    ...(effects.includes('deletions') ? [`deletes up to ${some(most('deletions'), 'declared data source')}`] : []),
  ];
  if (parts.length > 0) return `It ${new Intl.ListFormat('en').format(parts)}.`;
  return profile.load.describeEffects(target) ?? 'It only reads.';
}
