import type { Target } from '../../core/target.ts';
import type { LoadOperation, MixEntry } from '../profile/mix.ts';
import type { Profile } from '../profile/profile.ts';
import type { OpenSchedule } from '../schedule/arrivals.ts';
import { openChats } from '../schedule/chat-turns.ts';
import type { Threshold } from '../profile/threshold.ts';
import { type LoadRequest, messageRequest } from '../schedule/load-request.ts';
import { requestVariants } from '../schedule/request-variants.ts';

/** One request that may be drawn, without its key. */
export type ExportedRequest = {
  readonly method: string;
  readonly path: string;
  /** All but the authorization, the idempotency keys, and who sends: that is another engine. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The environment variable that the key comes from. */
  readonly keyVariable: string;
  /** Headers that take a value of their own each time. */
  readonly onceHeaders: readonly string[];
};

export type ExportedEntry = {
  readonly operation: LoadOperation;
  /** Of all requests; together they are 1. */
  readonly share: number;
  readonly timeoutMs: number;
  /** At least one; drawn evenly. */
  readonly requests: readonly ExportedRequest[];
};

/** A profile on a target, as plain data from which a script of another engine is written. */
export type ExportedLoad = {
  readonly profile: Profile;
  readonly schedule: OpenSchedule;
  readonly baseUrl: string;
  readonly entries: readonly ExportedEntry[];
  /** What the profile wants and the target file has nothing for. */
  readonly missing: readonly LoadOperation[];
};

/** Stands where another engine puts a value that is new each time. */
const onceMark = 'once';
const keyMark = 'key';

/** What a profile would send to a target; entries that the target file has nothing for are left out. */
export function exportedLoad(profile: Profile, schedule: OpenSchedule, target: Target): ExportedLoad {
  // Keys are gone before anything is made that could hold one.
  const keyless = { ...target, principals: target.principals.map((one) => ({ ...one, key: keyMark })) };
  const variables = new Map(target.principals.map(({ name, variable }) => [name, variable.replace(/^\$/, '')]));
  const wanted = profile.mix.map((entry) => ({ entry, requests: requestsOf(entry, keyless, profile.timeoutMs) }));
  const usable = wanted.filter(({ requests }) => requests.length > 0);
  const all = usable.reduce((sum, { entry }) => sum + entry.weight, 0);
  return {
    profile,
    schedule,
    baseUrl: target.baseUrl,
    missing: wanted.flatMap(({ entry, requests }) => (requests.length > 0 ? [] : [entry.operation])),
    entries: usable.map(({ entry, requests }) => ({
      operation: entry.operation,
      share: entry.weight / all,
      timeoutMs: Math.max(...requests.map(({ request }) => request.timeoutMs ?? profile.timeoutMs)),
      requests: requests.map((request) => exportedRequest(request, variables.get(request.caller) ?? '')),
    })),
  };
}

function requestsOf(entry: MixEntry, target: Target, timeoutMs: number): readonly LoadRequest[] {
  if (entry.operation !== 'sendMessage') return requestVariants(entry, target, timeoutMs);
  const { quickPrompt, slowPrompt } = target.assistant;
  const text = entry.prompt === 'quick' ? quickPrompt : slowPrompt;
  const message = { text, key: onceMark, waitSeconds: entry.waitSeconds, timeoutMs };
  return openChats(target).map((chat) => messageRequest(target, chat, message));
}

function exportedRequest({ request }: LoadRequest, keyVariable: string): ExportedRequest {
  const { method, path, headers, body } = request;
  const named = Object.entries(headers).filter(([name]) => name !== 'authorization' && name !== 'user-agent');
  return {
    method,
    path,
    headers: Object.fromEntries(named.filter(([, value]) => value !== onceMark)),
    body: typeof body === 'string' ? body : undefined,
    keyVariable,
    onceHeaders: named.filter(([, value]) => value === onceMark).map(([name]) => name),
  };
}

/** One sentence for each operation and threshold that a script for another engine leaves out. */
export function leftOut(missing: readonly LoadOperation[], unjudged: readonly Threshold[]): readonly string[] {
  return [
    ...missing.map((operation) => `Not sent: ${operation}, for which the target file declares nothing.`),
    ...unjudged.map(({ text }) => `Not judged here: ${text}`),
  ];
}
