import type { ReferenceOptions } from '../reference.ts';
import { lists } from './lists.ts';
import { contents, keys } from './messages.ts';
import { rate } from './rate.ts';
import { restarts } from './restarts.ts';
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
  restarts,
];

/**
 * A long conversation that touches every decision, for tests: a line an answer. Two deployments that say the same here
 * are the same to this caller. Given what another said, it ends with the act in which they differ.
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
