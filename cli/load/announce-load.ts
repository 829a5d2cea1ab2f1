import type { SideEffect, Target } from '../../core/target.ts';
import type { Profile } from '../../load/profile/profile.ts';
import type { Shard } from '../../load/schedule/arrivals.ts';
import { UserError } from '../shared/user-error.ts';

/** Every side effect of a profile: those of its load, and those of its mix. */
function effectsOf({ load, mix }: Profile): readonly SideEffect[] {
  const ofMix = mix.some(({ operation }) => operation === 'sendMessage') ? (['messages'] as const) : [];
  return [...new Set(['load' as const, ...ofMix, ...load.effects])];
}

/** Load is a side effect like any other: nothing runs that the target file does not allow, and nothing above its limits. */
export function refuseUnlessAllowed(profile: Profile, { allow, limits }: Target): void {
  const needed = effectsOf(profile);
  const missing = needed.filter((effect) => !allow.has(effect));
  if (missing.length > 0) {
    throw new UserError(
      `${profile.name} runs only where the target file says allow: [${needed.join(', ')}]; ${missing.join(' and ')} is not there.`,
    );
  }
  const peak = profile.load.peakPerSecond;
  if (peak !== undefined && peak > limits.maxRequestsPerSecond) {
    throw new UserError(
      `${profile.name} sends up to ${peak} requests a second, and limits.maxRequestsPerSecond of the target file is ${limits.maxRequestsPerSecond}: raise that, or write a profile that sends less.`,
    );
  }
}

/** What is going to be sent, in a sentence or two. */
export function announcement(profile: Profile, target: Target, shard: Shard): string {
  const { name, load, warmUpMs, mix } = profile;
  const { plannedMs, besideMs } = load;
  const time = plannedMs === undefined ? '' : ` in ${Math.ceil((plannedMs + warmUpMs + besideMs) / 1000)} s`;
  const part = shard.of === 1 ? '' : `, of which this is part ${shard.index} of ${shard.of}`;
  const operations = mix.length === 0 ? '' : `: ${mix.map(({ operation }) => operation).join(', ')}`;
  const effects = effectsOf(profile).includes('messages')
    ? 'It writes messages.'
    : (load.describeEffects(target) ?? 'It only reads.');
  return `${name} sends ${load.describe(profile, target)}${time}${part} to ${target.baseUrl}${operations}. ${effects}`;
}
