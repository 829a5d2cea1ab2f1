import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Attempt, explain } from './chat-history.ts';

const toleranceMs = 750;

/** `[key, sent, received, status, wait in seconds]` */
type Row = readonly [key: string, sentAt: number, receivedAt: number, status: number, wait?: number];

function judge(rows: readonly Row[]): string {
  const attempts = rows.map(([key, sentAt, receivedAt, status, wait = 0]): Attempt => {
    return { key, sentAt, receivedAt, status, waitMs: wait * 1000 };
  });
  const explanation = explain({ idleAt: -10_000, toleranceMs, attempts });
  if (explanation.kind !== 'inexplicable') return explanation.kind;
  return `${explanation.reason} ${[...new Set(explanation.attempts.map(({ key }) => key))].join(' ')}`;
}

test.each<[string, string, ...Row[]]>([
  ['nothing', 'explained'],
  ['one message', 'explained', ['a', 0, 10, 202]],
  ['a conflict with it', 'explained', ['a', 0, 10, 202], ['b', 20, 30, 409]],
  ['a conflict while it is on its way', 'explained', ['a', 0, 100, 202], ['b', 1, 5, 409]],
  ['a conflict before anything was sent', 'conflict a b', ['b', 0, 5, 409], ['a', 6, 9, 200]],
  ['a conflict and nothing else', 'conflict b', ['b', 0, 5, 409]],
  ['a conflict long after the end', 'conflict a b', ['a', 0, 100, 200], ['b', 1000, 1010, 409]],
  ['a conflict right after the end, which a lock may outlive', 'explained', ['a', 0, 100, 200], ['b', 110, 120, 409]],
  ['one after another, both quick', 'explained', ['a', 0, 10, 202], ['b', 20, 30, 202]],
  ['side by side, both quick', 'explained', ['a', 0, 10, 202], ['b', 0, 10, 202]],
  ['both held to the end', 'overlap a b', ['a', 0, 2005, 202, 2], ['b', 1, 2006, 202, 2]],
  ['both held to the end, the other one late', 'explained', ['a', 0, 2005, 202, 2], ['b', 1, 3300, 202, 2]],
  ['accepted while another is held to the end', 'overlap a b', ['a', 0, 3005, 202, 3], ['b', 1000, 1010, 202]],
  ['accepted when the held one may have ended', 'explained', ['a', 0, 3005, 202, 3], ['b', 2300, 2400, 202]],
  ['accepted while another is held until it finishes', 'explained', ['a', 0, 3005, 200, 30], ['b', 1000, 1010, 202]],
  ['held shorter than asked says nothing', 'explained', ['a', 0, 20, 202, 2], ['b', 0, 20, 202, 2]],
  ['a repetition of a snapshot', 'explained', ['a', 0, 10, 202], ['b', 20, 30, 202], ['a', 5000, 5010, 202]],
  [
    'a repetition that follows the state',
    'overlap a b',
    ['a', 0, 10, 202],
    ['b', 20, 30, 202],
    ['a', 2000, 2010, 202],
    ['a', 4000, 4010, 200],
  ],
  [
    'a repetition of a snapshot without wait, and one that follows the state with it',
    'explained',
    ['a', 0, 10, 202],
    ['b', 20, 30, 202],
    ['a', 2000, 2010, 202],
    ['a', 4000, 4010, 200, 30],
  ],
  [
    'held repetitions that follow the state',
    'overlap a b',
    ['a', 0, 10, 202],
    ['b', 20, 30, 202],
    ['a', 2000, 3010, 202, 1],
    ['a', 4000, 4010, 200, 30],
  ],
  [
    'a repetition that is as late as it may be',
    'explained',
    ['a', 0, 10, 202],
    ['b', 20, 30, 202],
    ['a', 700, 710, 202],
    ['a', 4000, 4010, 200],
  ],
  [
    'a repetition that is held for as long as the message was',
    'overlap a b',
    ['a', 0, 3005, 202, 3],
    ['b', 3010, 3110, 200, 10],
    ['a', 3120, 6125, 202, 3],
    ['a', 6630, 6640, 200, 3],
  ],
  ['a repetition refused as a conflict', 'explained', ['a', 0, 10, 200], ['a', 5000, 5010, 409]],
  ['a twin refused as a conflict', 'explained', ['a', 0, 10, 409], ['a', 2, 12, 200]],
  [
    'a message that was accepted and finished before its first answer came',
    'explained',
    ['a', 0, Infinity, 0],
    ['b', 1500, 3800, 202, 3],
    ['a', 2000, 2010, 200],
  ],
  [
    'a message that was accepted and finished before its answer was broken',
    'explained',
    ['a', 0, 1200, 502],
    ['b', 1500, 3800, 202, 3],
    ['a', 2000, 2010, 200],
  ],
  [
    'a message that was refused before',
    'overlap a b',
    ['a', 0, 1200, 400],
    ['b', 1500, 3800, 202, 3],
    ['a', 2000, 2010, 200],
  ],
  ['a conflict after a message without an answer', 'explained', ['a', 0, Infinity, 0], ['b', 9000, 9010, 409]],
  ['a conflict after a broken answer', 'explained', ['a', 0, 10, 500], ['b', 9000, 9010, 409]],
  ['a conflict after a refusal', 'conflict b', ['a', 0, 10, 400], ['b', 20, 30, 409]],
  [
    'of three, only two that exclude each other',
    'overlap b c',
    ['a', 0, 10, 200],
    ['b', 1000, 3005, 202, 2],
    ['c', 1001, 3006, 202, 2],
  ],
])('%s: %s', (_what, expected, ...rows) => {
  expect(judge(rows)).toBe(expected);
});

const inAnyOrder = Array.from({ length: 12 }, (_, index): Row => [`k${index}`, 0, 60_000, 200, 60]);

test.each<[string, string, ...Row[]]>([
  ['messages that fit in any order', 'explained'],
  ['two more that exclude each other', 'undecided', ['a', 0, 2005, 202, 2], ['b', 1, 2006, 202, 2]],
  ['a conflict that fits none', 'undecided', ['a', 90_000, 90_010, 409]],
])('gives up on more orders than it can try: %s', (_what, expected, ...rows) => {
  expect(judge([...inAnyOrder, ...rows])).toBe(expected);
});

/** What a caller sends, and how the deployment and the network happen to take their time. */
type Step = {
  readonly kind: 'send' | 'repeat';
  readonly pauseMs: number;
  readonly outMs: number;
  readonly backMs: number;
  readonly wait: number;
  readonly takesMs: number;
  /** How late the deployment sees an end, for what it shows; at most the tolerance. */
  readonly lateMs: number;
};

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('send' as const, 'send' as const, 'repeat' as const),
  pauseMs: fc.oneof(fc.constant(0), fc.nat(300), fc.nat(4000)),
  outMs: fc.oneof(fc.nat(20), fc.nat(1500)),
  backMs: fc.oneof(fc.nat(20), fc.nat(1500)),
  wait: fc.constantFrom(0, 0, 1, 2, 5),
  takesMs: fc.oneof(fc.nat(50), fc.nat(6000)),
  lateMs: fc.oneof(fc.constant(0), fc.nat(toleranceMs)),
});

type Accepted = { readonly key: string; readonly endsAt: number; readonly answeredAt: number; readonly status: number };

/** Plays the steps against a deployment. `allowed` decides whether a message is let in while the last is generating. */
function play(steps: readonly Step[], replays: 'snapshot' | 'current', lockLagMs: number, allowed: boolean): Attempt[] {
  let now = 0;
  const plan = steps.map((one, index) => {
    now += one.pauseMs;
    return { ...one, key: `k${index}`, sentAt: now, arrivesAt: now + one.outMs };
  });
  const accepted: Accepted[] = [];
  const attempts: Attempt[] = [];
  for (const one of plan.toSorted((left, right) => left.arrivesAt - right.arrivesAt)) {
    const { arrivesAt, sentAt, backMs, lateMs } = one;
    const known = one.kind === 'repeat' ? accepted[one.takesMs % Math.max(1, accepted.length)] : undefined;
    const busy = accepted.some(({ endsAt }) => arrivesAt < endsAt + lockLagMs);
    const answer = (key: string, status: number, at: number, wait: number) =>
      attempts.push({ key, sentAt, receivedAt: at + backMs, status, waitMs: wait * 1000 });
    if (known !== undefined) {
      const shown = arrivesAt < known.endsAt + lateMs ? 202 : 200;
      if (replays === 'current') answer(known.key, shown, arrivesAt, 0);
      else answer(known.key, known.status, Math.max(arrivesAt, known.answeredAt), 0);
    } else if (busy && !allowed) answer(one.key, 409, arrivesAt, one.wait);
    else {
      const endsAt = arrivesAt + one.takesMs;
      const seenAt = endsAt + (one.takesMs === 0 ? 0 : lateMs);
      const overAt = arrivesAt + one.wait * 1000;
      const status = seenAt <= overAt ? 200 : 202;
      const answeredAt = Math.min(seenAt, overAt);
      accepted.push({ key: one.key, endsAt, answeredAt, status });
      answer(one.key, status, answeredAt, one.wait);
    }
  }
  return attempts;
}

test('never finds what a legal deployment does inexplicable', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 9 }),
      fc.constantFrom('snapshot' as const, 'current' as const),
      fc.nat(toleranceMs),
      (steps, replays, lockLagMs) => {
        const attempts = play(steps, replays, lockLagMs, false);
        expect(explain({ idleAt: 0, toleranceMs, attempts }).kind).not.toBe('inexplicable');
      },
    ),
    { numRuns: 3000, seed: 7 },
  );
});

test('finds a deployment out that lets everything in', () => {
  const held = { kind: 'send', pauseMs: 5, outMs: 5, backMs: 5, wait: 2, takesMs: 4000, lateMs: 0 } as const;
  for (const messages of [2, 3, 8]) {
    const attempts = play(
      Array.from({ length: messages }, () => held),
      'snapshot',
      0,
      true,
    );
    expect(explain({ idleAt: 0, toleranceMs, attempts })).toMatchObject({ kind: 'inexplicable', reason: 'overlap' });
  }
});
