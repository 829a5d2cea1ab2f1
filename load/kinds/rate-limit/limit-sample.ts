import type { Arrived } from '../../engine/sockets.ts';
import type { Refusal } from '../../../core/implied-resets.ts';
import { at, parseJson } from '../../../core/json.ts';

/** One request to a limited target. Instants are milliseconds of one clock. */
export type LimitSample = {
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly kind: 'accepted' | 'limited' | 'other';
  /** The wait that a 429 states; undefined if it is not a number. */
  readonly retryAfterMs: number | undefined;
};

export function limitSampleOf(
  { outcome, body }: Pick<Arrived, 'outcome' | 'body'>,
  sentAt: number,
  receivedAt: number,
): LimitSample {
  const isAccepted = typeof outcome === 'number' && outcome >= 200 && outcome < 300;
  if (isAccepted) return { sentAt, receivedAt, kind: 'accepted', retryAfterMs: undefined };
  const error = at(parseJson(Buffer.concat(body)).value, 'error');
  // Another status with this title is a violation, and a refusal all the same.
  const isLimited = outcome === 429 || at(error, 'title') === 'RateLimitExceeded';
  if (!isLimited) return { sentAt, receivedAt, kind: 'other', retryAfterMs: undefined };
  const asked = at(error, 'retryAfterMs');
  const retryAfterMs = typeof asked === 'number' && Number.isFinite(asked) ? asked : undefined;
  return { sentAt, receivedAt, kind: 'limited', retryAfterMs };
}

/** A window counts as full from this share of the quota on. */
export const fullShare = 0.8;

/** A period in which every request was refused, with what was accepted right before and after it. */
export type LimitedWindow = {
  /** The first accepted request after the previous period; undefined for the first window, whose beginning is unknown. */
  readonly opened: LimitSample | undefined;
  /** Requests that were accepted since then. */
  readonly accepted: number;
  /** The refused requests in the order of sending; at least one. */
  readonly refused: readonly LimitSample[];
  /**
   * When the last answer before came to a request, of any kind, that was not refused. A refusal sent earlier may have preceded it,
   * and so another reset, or the request took what a client waits for.
   */
  readonly settledAt: number;
  /** Other requests that were not refused, between the refused ones. */
  readonly beside: number;
  /** The first accepted request afterwards; undefined when none came in time. */
  readonly reopened: LimitSample | undefined;
  /** Whether a client retried until it was accepted or gave up. */
  readonly isWaitedOut: boolean;
  /** Whether its quota was used in two halves, half a window apart. */
  readonly isSplit: boolean;
  /** Whether it was entered only when the whole stated wait was over, although a request was accepted before. */
  readonly isRested: boolean;
};

/** The refusals that say how long to wait, and all mean the same reset. */
export function refusalsIn({ refused, settledAt }: LimitedWindow): readonly Refusal[] {
  return statingWait(refused.filter(({ sentAt }) => sentAt >= settledAt));
}

/** The refusals that say how long to wait. */
export function statingWait(refused: readonly LimitSample[]): readonly Refusal[] {
  return refused.flatMap(({ sentAt, receivedAt, retryAfterMs }) =>
    retryAfterMs === undefined ? [] : [{ sentAt, receivedAt, retryAfterMs }],
  );
}
