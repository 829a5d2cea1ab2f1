import type { Target } from '../../core/target.ts';
import { plannedMs, type Profile } from '../../load/profile/profile.ts';
import { peakRate, plannedArrivals } from '../../load/profile/resolve-profile.ts';
import { UserError } from '../shared/user-error.ts';

/** Whether a profile writes messages. */
function writes({ load, mix }: Profile): boolean {
  return (
    load.kind === 'contention' || load.kind === 'longPoll' || mix.some(({ operation }) => operation === 'sendMessage')
  );
}

/** Load is a side effect like any other: nothing runs that the target file does not allow, and nothing above its limits. */
export function refuseUnlessAllowed(profile: Profile, { allow, limits }: Target): void {
  const needed = [
    'load' as const,
    ...(writes(profile) ? ['messages' as const] : []),
    ...(profile.load.kind === 'rateLimit' ? ['rateLimit' as const] : []),
  ];
  const missing = needed.filter((effect) => !allow.has(effect));
  if (missing.length > 0) {
    throw new UserError(
      `${profile.name} runs only where the target file says allow: [${needed.join(', ')}]; ${missing.join(' and ')} is not there.`,
    );
  }
  const peak = peakRate(profile);
  if (peak !== undefined && peak > limits.maxRequestsPerSecond) {
    throw new UserError(
      `${profile.name} sends up to ${peak} requests a second, and limits.maxRequestsPerSecond of the target file is ${limits.maxRequestsPerSecond}: raise that, or send less by a profile of your own.`,
    );
  }
}

/** What is going to be sent, in a sentence or two. */
export function announcement(
  profile: Profile,
  target: Target,
  shard: { readonly index: number; readonly of: number },
): string {
  const { load, warmUpMs, mix } = profile;
  const part = shard.of === 1 ? '' : `, of which this is part ${shard.index} of ${shard.of}`;
  const seconds = Math.ceil(((plannedMs(load) ?? 0) + warmUpMs + besideMs(load)) / 1000);
  const what = mix.map(({ operation }) => operation).join(', ');
  const how = volume(profile, target);
  const time = plannedMs(load) === undefined ? '' : ` in ${seconds} s`;
  return `${profile.name} sends ${how}${time}${part} to ${target.baseUrl}${what === '' ? '' : `: ${what}`}. ${effects(profile, target)}`;
}

/** What a run takes beside its measured part: held requests need one without them, to compare with, and end in their time. */
function besideMs(load: Profile['load']): number {
  return load.kind === 'longPoll' ? load.durationMs + load.waitSeconds * 1000 : 0;
}

function effects(profile: Profile, { allow }: Target): string {
  if (writes(profile)) return 'It writes messages.';
  const tried = [...(allow.has('messages') ? ['a message'] : []), ...(allow.has('deletions') ? ['a deletion'] : [])];
  if (profile.load.kind !== 'rateLimit' || tried.length === 0) return 'It only reads.';
  return `It tries ${tried.join(' and ')} while it is refused.`;
}

function volume({ load, warmUpMs }: Profile, { limits }: Target): string {
  const most = Number.isFinite(limits.maxRequestsPerSecond) ? `, at most ${limits.maxRequestsPerSecond} a second` : '';
  switch (load.kind) {
    case 'open': {
      const count = Math.round(plannedArrivals(load) + (warmUpMs / 1000) * load.ratePerSecond);
      return `about ${count.toLocaleString('en')} requests over at most ${load.sockets} sockets`;
    }
    case 'closed':
      return `as many requests as ${load.connections} connections can${most}`;
    case 'capacity':
      return `trials of ${load.trialMs / 1000} s at ${load.fromPerSecond} to ${load.toPerSecond} requests a second`;
    case 'rateLimit':
      return `requests over ${load.connections} connections until it is refused, ${load.windows} times${most}`;
    case 'contention':
      return `messages by ${load.writers} writers to ${load.chats} chats, and ${load.storm} at once with one key`;
    case 'longPoll':
      return `up to ${load.held} requests that wait ${load.waitSeconds} s, and ${load.ratePerSecond} others a second`;
  }
}
