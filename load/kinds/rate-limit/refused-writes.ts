import { realClock } from '../../../core/clock.ts';
import type { Fact } from '../../../reports/load/load-record.ts';
import { refusedDeletion } from './refused-deletion.ts';
import { refusedMessage } from './refused-message.ts';
import { type RefusedWrite, refusedWritesName, unclear, type WriteOptions } from './refused-write.ts';

const lookAgainMs = 150;

/** All writes that the target file allows. */
export function createRefusedWrites(options: WriteOptions) {
  const { limited } = options;
  const writes = [refusedDeletion(options), refusedMessage(options)].filter((write) => write !== undefined);
  const ready: RefusedWrite[] = [];
  const refused = new Map<RefusedWrite, boolean>();

  async function prepare(): Promise<void> {
    for (const write of writes) if (await write.prepare()) ready.push(write);
  }

  /** Whether nothing is about to come free. What a refusal says of that may be a lie, so this looks twice. */
  async function isHeld(): Promise<boolean> {
    if ((await limited.shoot()).kind !== 'limited') return false;
    await realClock.sleep(lookAgainMs);
    return (await limited.shoot()).kind === 'limited';
  }

  /** Writes once only, and only while the limit holds. */
  async function attempt(): Promise<void> {
    if (refused.size > 0 || ready.length === 0 || !(await isHeld())) return;
    for (const write of ready) refused.set(write, await write.attempt());
  }

  async function verify(): Promise<readonly Fact[]> {
    if (refused.size === 0) {
      const why =
        ready.length === 0 ? 'it takes messages or deletions in allow' : 'nothing was refused for long enough';
      return [{ name: refusedWritesName, value: `none was tried; ${why}` }];
    }
    const facts: Fact[] = [];
    for (const [write, isRefused] of refused) {
      facts.push(isRefused ? await write.verify() : unclear('one got through while the lists were refused'));
    }
    return facts;
  }

  return { prepare, attempt, verify };
}
