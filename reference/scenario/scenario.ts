import type { ReferenceOptions } from '../reference.ts';
import { lists } from './lists.ts';
import { contents, keys } from './messages.ts';
import { outages } from './outages.ts';
import { rate } from './rate.ts';
import { locks, repetitions } from './repetitions.ts';
import { openStage, type Stage } from './stage.ts';
import { who } from './who.ts';
import { attachments, deletions } from './writes.ts';

const acts: readonly ((stage: Stage) => Promise<void>)[] = [
  who,
  deletions,
  attachments,
  contents,
  keys,
  rate,
  lists,
  outages,
  repetitions,
  locks,
];

/**
 * A long conversation that exercises every decision, for tests, with one line for each answer. Two deployments with the same
 * lines are the same for this caller. Given the lines of another deployment, it ends with the act in which they differ.
 */
export async function scenario(
  options: Omit<ReferenceOptions, 'clock'>,
  another?: readonly string[],
): Promise<readonly string[]> {
  const stage = openStage(options);
  for (const act of acts) {
    await act(stage);
    if (another !== undefined && stage.lines.some((line, index) => line !== another[index])) break;
    await stage.sleep(10_000);
  }
  return stage.lines;
}
