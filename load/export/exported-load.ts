import { type Piece, type Redactor, redactorOf } from '../../core/redaction/redact.ts';
import type { Target } from '../../core/target.ts';
import { isOnceEntry, type LoadOperation, type MixEntry } from '../profile/mix.ts';
import type { Profile } from '../profile/profile.ts';
import type { OpenSchedule } from '../schedule/arrivals.ts';
import { openChats } from '../schedule/chat-turns.ts';
import type { Threshold } from '../profile/threshold.ts';
import { type LoadRequest, messageRequest } from '../schedule/load-request.ts';
import { requestVariants } from '../schedule/request-variants.ts';

/** Text, or the environment variable that holds it. */
export type HeaderPart = { readonly text: string } | { readonly variable: string };

/** One request of the mix, without its key. */
export type ExportedRequest = {
  readonly method: string;
  readonly path: string;
  /** All headers except the authorization, the idempotency keys and the user agent, which the other engine sets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that hold a secret, each in parts. */
  readonly secretHeaders: Readonly<Record<string, readonly HeaderPart[]>>;
  readonly body: string | undefined;
  /** The environment variable with the key. */
  readonly keyVariable: string;
  /** Headers that get a new value for each request. */
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

/** A profile for a target as plain data, from which a script for another engine is made. */
export type ExportedLoad = {
  readonly profile: Profile;
  readonly schedule: OpenSchedule;
  readonly baseUrl: string;
  readonly entries: readonly ExportedEntry[];
  /** Operations of the profile for which the target file declares nothing that can be used again and again. */
  readonly missing: readonly LoadOperation[];
};

/** Marks the place where another engine puts a new value each time. */
const onceMark = 'once';
const keyMark = 'key';

/** What a profile sends to a target, without operations for which the target file declares nothing. */
export function exportedLoad(profile: Profile, schedule: OpenSchedule, target: Target): ExportedLoad {
  // Keys are removed first, so that nothing below can contain one.
  const keyless = { ...target, principals: target.principals.map((one) => ({ ...one, key: keyMark })) };
  const redactor = redactorOf(target);
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
      requests: requests.map((request) => exportedRequest(request, variables.get(request.caller) ?? '', redactor)),
    })),
  };
}

function requestsOf(entry: MixEntry, target: Target, timeoutMs: number): readonly LoadRequest[] {
  if (isOnceEntry(entry)) return [];
  if (entry.operation !== 'sendMessage') return requestVariants(entry, target, timeoutMs);
  const { quickPrompt, slowPrompt } = target.assistant;
  const text = entry.prompt === 'quick' ? quickPrompt : slowPrompt;
  const message = { text, key: onceMark, waitSeconds: entry.waitSeconds, timeoutMs };
  return openChats(target).map((chat) => messageRequest(target, chat, message));
}

function exportedRequest({ request }: LoadRequest, keyVariable: string, redactor: Redactor): ExportedRequest {
  const { method, path, headers, body } = request;
  const hasSecret = (value: string) => redactor.pieces(value).some(({ kind }) => kind === 'secret');
  const named = Object.entries(headers).filter(([name]) => name !== 'authorization' && name !== 'user-agent');
  return {
    method,
    path,
    headers: Object.fromEntries(named.filter(([, value]) => value !== onceMark && !hasSecret(value))),
    secretHeaders: Object.fromEntries(
      named.filter(([, value]) => hasSecret(value)).map(([name, value]) => [name, redactor.pieces(value).map(partOf)]),
    ),
    body: typeof body === 'string' ? body : undefined,
    keyVariable,
    onceHeaders: named.filter(([, value]) => value === onceMark).map(([name]) => name),
  };
}

function partOf(piece: Piece): HeaderPart {
  return piece.kind === 'literal' ? { text: piece.text } : { variable: piece.variable.replace(/^\$/, '') };
}

/** One sentence for each operation and threshold that a script for another engine leaves out. */
export function leftOut(missing: readonly LoadOperation[], unjudged: readonly Threshold[]): readonly string[] {
  return [
    ...missing.map(
      (operation) =>
        `Not sent: ${operation}, for which the target file declares nothing that can be used again and again.`,
    ),
    ...unjudged.map(({ text }) => `Not judged here: ${text}`),
  ];
}
