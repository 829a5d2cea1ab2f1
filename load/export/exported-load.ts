import type { Target } from '../../core/target.ts';
import { effectOf, isForbidden, isOnceEntry, type LoadOperation, type MixEntry } from '../profile/mix.ts';
import type { Profile } from '../profile/profile.ts';
import type { OpenSchedule } from '../schedule/arrivals.ts';
import { openChats } from '../schedule/chat-turns.ts';
import type { Threshold } from '../profile/threshold.ts';
import { type LoadRequest, messageRequest } from '../schedule/load-request.ts';
import { requestVariants } from '../schedule/request-variants.ts';
import { type ExportedRequest, onceMark, requestExporter, withoutKeys } from './exported-request.ts';

export type ExportedEntry = {
  readonly operation: LoadOperation;
  /** Of all requests; together they are 1. */
  readonly share: number;
  readonly timeoutMs: number;
  /** At least one; drawn evenly. */
  readonly requests: readonly ExportedRequest[];
};

/** A profile for a target as plain data, from which a script for another engine is made. */
export type ExportedLoad = {
  readonly profile: Profile;
  readonly schedule: OpenSchedule;
  readonly target: Target;
  readonly entries: readonly ExportedEntry[];
  /** The operations of the profile that are not sent, each with the reason. */
  readonly missing: readonly string[];
};

/** What a profile sends to a target, without operations for which the target file declares nothing. */
export function exportedLoad(profile: Profile, schedule: OpenSchedule, target: Target): ExportedLoad {
  const keyless = withoutKeys(target);
  const wanted = profile.mix.map((entry) => ({ entry, requests: requestsOf(entry, keyless, profile.timeoutMs) }));
  const usable = wanted.filter(({ requests }) => requests.length > 0);
  const all = usable.reduce((sum, { entry }) => sum + entry.weight, 0);
  return {
    profile,
    schedule,
    target,
    missing: wanted.flatMap(({ entry, requests }) => (requests.length > 0 ? [] : [whyMissing(entry, target)])),
    entries: usable.map(({ entry, requests }) => ({
      operation: entry.operation,
      share: entry.weight / all,
      timeoutMs: Math.max(...requests.map(({ request }) => request.timeoutMs ?? profile.timeoutMs)),
      requests: requests.map(requestExporter(target)),
    })),
  };
}

function requestsOf(entry: MixEntry, target: Target, timeoutMs: number): readonly LoadRequest[] {
  if (isOnceEntry(entry) || isForbidden(entry, target.allow)) return [];
  if (entry.operation !== 'sendMessage') return requestVariants(entry, target, timeoutMs);
  const { quickPrompt, slowPrompt } = target.assistant;
  const text = entry.prompt === 'quick' ? quickPrompt : slowPrompt;
  const message = { text, key: onceMark, waitSeconds: entry.waitSeconds, timeoutMs };
  return openChats(target).map((chat) => messageRequest(target, chat, message));
}

function whyMissing(entry: MixEntry, { allow }: Target): string {
  const { operation } = entry;
  return isForbidden(entry, allow)
    ? `${operation}, because the target file does not allow ${effectOf[operation]}.`
    : `${operation}, for which the target file declares nothing that can be used again and again.`;
}

/** One sentence for each part of a profile and of its target that a script for another engine leaves out. */
export function leftOut({ profile, target, missing }: ExportedLoad, unjudged: readonly Threshold[]): readonly string[] {
  return [...missing.map((reason) => `Not sent: ${reason}`), ...leftOutOfAny(profile, target, unjudged)];
}

/** One sentence for each setting that every script leaves out. */
export function leftOutOfAny(
  { abort, server }: Profile,
  { baseUrls = [], tls }: Target,
  unjudged: readonly Threshold[],
): readonly string[] {
  return [
    ...unjudged.map(({ text }) => `Not judged here: ${text}`),
    ...abort.map(({ text }) => `Does not end early: abort: ${text}`),
    ...(server === undefined ? [] : ['Not read: server.metrics']),
    ...(baseUrls.length > 1 ? ['Not used: baseUrls beyond the first one'] : []),
    ...(tls === undefined ? [] : ['Not set: the tls settings of the target file']),
  ];
}
