import { type Answer, answerOf, type Exchange, isSuccess } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import type { Operation } from '../../spec/requirement.ts';
import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** What a key was granted before, was then refused as if there were no such key or role, and was granted again. */
export type Lapse = { readonly refused: Exchange };

type Access = { isGranted: boolean; refused: Exchange | undefined };

const keysIn = perRun(() => ({
  known: new Map<string, Access>(),
  lapses: new Array<Lapse>(),
  /** When the key of each principal was used last, in milliseconds of the clock. */
  usedAt: new Map<string, number>(),
}));

/** Accesses and lapses that a run remembers. */
const most = { known: 4000, lapses: 50 } as const;

/** The operations whose role a run does not change. */
const granting: readonly Operation[] = ['listModels', 'listDataSources', 'getBillingAccount', 'sendMessage'];

/**
 * Remembers how each read and each message of a principal was answered. Only requests for the same place tell: a deployment may answer
 * 401, 403 or 404 where a role is missing. Keys that are renewed during the run expire, so they say nothing.
 */
export function noteKeys({ memory, target }: Session, exchange: Exchange): void {
  const { request, caller, operation } = exchange;
  const { authorization } = request.headers;
  const answer = answerOf(exchange);
  if (!granting.includes(operation) || answer === undefined) return;
  const { known, lapses, usedAt } = keysIn({ memory });
  // A run that is made again from its recording has no keys to renew, and must send the same.
  usedAt.set(caller, Math.max(exchange.sentAt, lastUseOf({ memory }, caller)));
  if (target.renewal !== undefined) return;
  if (!target.principals.some(({ name, key }) => name === caller && authorization === `Bearer ${key}`)) return;
  const place = JSON.stringify([caller, request.baseUrl, request.method, request.path.split('?')[0]]);
  const access = known.get(place) ?? { isGranted: false, refused: undefined };
  if (isRefusal(answer) && access.isGranted) access.refused ??= exchange;
  if (!isSuccess(answer)) return;
  if (access.refused !== undefined && lapses.length < most.lapses) lapses.push({ refused: access.refused });
  if (known.size < most.known || known.has(place)) known.set(place, { isGranted: true, refused: undefined });
}

/**
 * 401, or what a caller without a role gets for a resource that exists. Another status may be about a parameter: a wrong one, or one that
 * names what is missing. A firewall may refuse requests, too, but not with the error body of section 7.
 */
function isRefusal(answer: Answer): boolean {
  const { status, exchange } = answer;
  if (status === 401) return true;
  const isPlain = exchange.request.method === 'GET' && plainPath.test(exchange.request.path);
  return (status === 403 || status === 404) && isPlain && stringAt(answer.json, 'error', 'title') !== undefined;
}

/** A path without parameters, or with a valid limit alone. */
const plainPath = /^[^?]*(\?limit=([1-9]\d?|100))?$/;

/** When a principal last read something or sent a message, in milliseconds of the clock; -Infinity if it did not. */
export function lastUseOf({ memory }: Pick<Session, 'memory'>, principal: string): number {
  return keysIn({ memory }).usedAt.get(principal) ?? Number.NEGATIVE_INFINITY;
}

/** The lapses of the run so far, oldest first. */
export function lapsesOf(session: Session): readonly Lapse[] {
  return keysIn(session).lapses;
}
