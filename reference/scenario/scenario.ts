import type { ReferenceOptions } from '../reference.ts';
import { lists } from './lists.ts';
import { contents, keys } from './messages.ts';
import { rate } from './rate.ts';
import { openStage, type Stage } from './stage.ts';
import { who } from './who.ts';
import { attachments, deletions } from './writes.ts';

const acts: readonly ((stage: Stage) => Promise<void>)[] = [who, lists, deletions, attachments, contents, keys, rate];

/**
 * A long conversation that touches every decision, for tests: a line an answer. Two deployments that say the same here
 * are the same to this caller.
 */
export async function scenario(options: Omit<ReferenceOptions, 'clock'>): Promise<readonly string[]> {
  const stage = openStage(options);
  for (const act of acts) {
    await act(stage);
    await stage.sleep(10_000);
  }
  return stage.lines;
}
