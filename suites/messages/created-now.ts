import type { Answer } from '../../core/exchange.ts';
import { instantOf } from '../../core/instant.ts';
import { stringAt } from '../../core/json.ts';
import { describe } from '../../core/text.ts';
import { must } from '../../engine/answer.ts';
import { check, type Check } from '../../engine/check.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenAccepted } from '../../stage/chats/message-sample.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Time zones differ from UTC by whole quarters of an hour: by an hour at least, and by 14 hours at most. */
const zone = { stepMs: 15 * minuteMs, leastMs: hourMs, mostMs: 14 * hourMs } as const;

type Created = { readonly answer: Answer; readonly text: string; readonly atMs: number; readonly shiftMs: number };

/** Section 2.4: what createdAt of a message is that the run itself has just sent. */
export const createdNow: readonly Check[] = [
  check('messages.created-now', { uses: ['messages'] }, async (api) => {
    const accepted = await givenAccepted(api);
    const judged = (['userMessage', 'assistantMessage'] as const).map((name) => mustNotBeShifted(name, accepted));
    if (!judged.includes(true))
      throw new Blocked(
        'no message has a createdAt that can be read, or all have the same one: its clock may stand still',
      );
  }),
];

/**
 * A clock may be wrong, and may stand still. So only a difference counts that messages of several times share. Returns false if
 * they show nothing.
 */
function mustNotBeShifted(name: 'userMessage' | 'assistantMessage', accepted: readonly Answer[]): boolean {
  const created = accepted.flatMap((answer) => createdOf(answer, name));
  const [first] = created;
  if (first === undefined) return false;
  const isShifted = first.shiftMs !== 0 && created.every(({ shiftMs }) => shiftMs === first.shiftMs);
  if (isShifted && new Set(created.map(({ atMs }) => atMs)).size === 1) return false;
  const expected = `createdAt of data.${name} not shifted by a time zone or by days`;
  const actual = () => `${describe(first.text)} ${shiftOf(first)} the time of the answer, like every other message`;
  must(!isShifted, expected, actual, ...created.map(({ answer }) => answer));
  return true;
}

function createdOf(answer: Answer, name: string): readonly Created[] {
  const text = stringAt(answer.json, 'data', name, 'createdAt');
  const atMs = instantOf(text);
  if (text === undefined || atMs === undefined) return [];
  const clocks = [answer.exchange.receivedAt, Date.parse(answer.headers['date'] ?? '')];
  // A held answer comes later than its message was created.
  const shifts = clocks.filter((ms) => !Number.isNaN(ms)).map((ms) => shiftIn(atMs - ms, minuteMs + answer.elapsedMs));
  // The clock of the caller may be wrong, and that of a gateway too: the one that is near the time counts.
  const shiftMs = shifts.includes(0) ? 0 : (shifts.find((ms) => ms !== undefined) ?? 0);
  return [{ answer, text, atMs, shiftMs }];
}

/** The whole days or quarters of an hour in a difference; 0 if it is less than that of a time zone, undefined if it is another one. */
function shiftIn(apartMs: number, toleranceMs: number): number | undefined {
  const stepMs = Math.abs(apartMs) > dayMs ? dayMs : zone.stepMs;
  const shiftMs = Math.round(apartMs / stepMs) * stepMs;
  const sizeMs = Math.abs(shiftMs);
  if (sizeMs < zone.leastMs) return 0;
  const isZone = sizeMs <= zone.mostMs && Math.abs(apartMs - shiftMs) <= toleranceMs;
  return isZone || stepMs === dayMs ? shiftMs : undefined;
}

function shiftOf({ shiftMs }: Created): string {
  const sizeMs = Math.abs(shiftMs);
  const size = sizeMs < dayMs ? `${sizeMs / hourMs} h` : `${sizeMs / dayMs} days`;
  return shiftMs > 0 ? `${size} after` : `${size} before`;
}
