import type { SideEffect, Target } from '../../core/target.ts';
import { allowedMix } from '../../load/profile/mix.ts';
import type { Profile } from '../../load/profile/profile.ts';
import { type Shard, wholeLoad } from '../../load/schedule/arrivals.ts';
import { createRequestPlan } from '../../load/schedule/request-plan.ts';
import { UserError } from '../shared/user-error.ts';

/** Every side effect of a profile on a target: those of its load, and those of its mix. */
function effectsOf({ load, mix }: Profile, { allow }: Target): readonly SideEffect[] {
  const writes = allowedMix(mix, allow).some(({ operation }) => operation === 'sendMessage');
  const ofMix = writes ? (['messages'] as const) : [];
  return [...new Set(['load' as const, ...ofMix, ...load.effects])];
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
function refuseWithoutOperations({ name, mix, timeoutMs }: Profile, target: Target): void {
  if (mix.length === 0) return;
  const plan = createRequestPlan({
    target,
    profile: { mix, timeoutMs },
    seed: 1,
    shard: wholeLoad,
    runId: '',
    now: () => 0,
  });
  if (plan.operations.length > 0) return;
  throw new UserError(`${name} has nothing to send: ${plan.missing.join('; ')}.`);
}

/** How often a rate must be exceeded by chance to be mentioned: this many standard deviations above it. */
const usualDeviations = 3;

/** Random arrivals at a rate exceed it in many seconds, and a limit near it in some. */
function warning({ load: { schedule, peakPerSecond = 0 } }: Profile, { limits }: Target, shard: Shard): string {
  const most = limits.maxRequestsPerSecond;
  const likely = peakPerSecond + usualDeviations * Math.sqrt(peakPerSecond * shard.of);
  if (schedule?.arrivals !== 'poisson' || likely <= most) return '';
  return ` Random arrivals exceed ${most} requests a second at times (limits.maxRequestsPerSecond); the requests above it are dropped.`;
}

/** What the run will send, in a sentence or two. */
export function announcement(profile: Profile, target: Target, shard: Shard): string {
  const { name, load, warmUpMs, mix } = profile;
  const { plannedMs, besideMs } = load;
  const time = plannedMs === undefined ? '' : ` in ${Math.ceil((plannedMs + warmUpMs + besideMs) / 1000)} s`;
  const part = shard.of === 1 ? '' : `, as part ${shard.index} of ${shard.of}`;
  const operations =
    mix.length === 0
      ? ''
      : `: ${allowedMix(mix, target.allow)
          .map(({ operation }) => operation)
          .join(', ')}`;
  const effects = effectsOf(profile, target).includes('messages')
    ? 'It writes messages.'
    : (load.describeEffects(target) ?? 'It only reads.');
  return `${name} sends ${load.describe(profile, target)}${time}${part} to ${target.baseUrl}${operations}. ${effects}${warning(profile, target, shard)}`;
}
