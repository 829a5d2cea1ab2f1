import { realClock } from '../../../core/clock.ts';
import { sum } from '../../../core/numbers.ts';
import type { Fact } from '../../../reports/load/load-record.ts';
import type { OpenChat } from '../../schedule/chat-turns.ts';
import { createDraw } from '../../schedule/draw.ts';
import { isAccepted } from '../../engine/send-one.ts';
import type { Writer } from './chat-writer.ts';
import { fairnessFact } from './fairness.ts';

/** How long a writer that met a busy chat waits, in milliseconds; every value is equally likely. */
const pauseMs = { least: 5, most: 40 } as const;
const waitSeconds = 30;

/** What the writers need of the load. */
type TurnWriter = Pick<Writer, 'startAt' | 'signal' | 'write'> & {
  readonly target: Pick<Writer['target'], 'assistant'>;
};

/**
 * Many writers on few chats, each trying again until its message is accepted: how much gets through, and how evenly. Counts only
 * answers that arrive within the measured time, as the throughput does.
 */
export async function writeInTurns(
  writer: TurnWriter,
  chats: readonly OpenChat[],
  writers: number,
  durationMs: number,
  seed: number,
): Promise<readonly Fact[]> {
  const draw = createDraw(seed);
  const endAt = writer.startAt + durationMs;
  const text = writer.target.assistant.quickPrompt;
  const accepted = Array.from({ length: writers }, () => 0);
  let refused = 0;

  async function writeAs(index: number): Promise<void> {
    const chat = chats[index % chats.length];
    if (chat === undefined) return;
    for (let turn = 0; performance.now() < endAt && !writer.signal.aborted; turn += 1) {
      const sent = await writer.write(chat, { text, key: `w${index}-${turn}`, waitSeconds });
      if (sent.endedAt >= endAt || writer.signal.aborted) return;
      if (isAccepted(sent)) accepted[index] = (accepted[index] ?? 0) + 1;
      else {
        refused += 1;
        await realClock.sleep(pauseMs.least + draw.at(turn, index) * (pauseMs.most - pauseMs.least));
      }
    }
  }

  await Promise.all(accepted.map((_count, index) => writeAs(index)));
  const seconds = (Math.min(endAt, performance.now()) - writer.startAt) / 1000;
  return [
    {
      name: 'accepted messages',
      value: `${(sum(accepted) / seconds).toFixed(1)} a second in ${chats.length} chats, answered within the measured time; ${refused} attempts refused`,
    },
    fairnessFact(accepted),
  ];
}
