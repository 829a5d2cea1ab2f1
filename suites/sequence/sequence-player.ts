import type { Sent } from '../../stage/chats/sending.ts';
import { TransportError } from '../../core/http.ts';
import { sinceChange } from '../../engine/session/used-up.ts';
import { Blocked } from '../../engine/verdict.ts';
import { type Change, type Command, isChange } from './sequence-commands.ts';
import { askInSequence, interruptInSequence } from './sequence-interrupts.ts';
import { filterInSequence, listInSequence } from './sequence-lists.ts';
import { nothingShown, type Shown } from './sequence-promises.ts';
import type { World } from './sequence-world.ts';
import {
  attachAgainInSequence,
  changeInSequence,
  countInSequence,
  repeatInSequence,
  sendInSequence,
  strangerInSequence,
} from './sequence-writes.ts';

/** What the command at that place showed. */
export type ShownAt = Shown & {
  readonly at: number;
  /** Why the command could not be judged. */
  readonly obstacle?: string;
};

/** What each command shows. Changes are left out once they must not be made any more. */
export async function* shownBy(
  world: World,
  commands: readonly Command[],
  mayChange: () => boolean,
): AsyncGenerator<ShownAt, void> {
  const sent: Sent[] = [];
  for (const [at, command] of commands.entries()) {
    if (!isChange(command)) yield { at, ...(await perform(world, command, sent)) };
    else if (mayChange()) {
      const obstacle = await whyUnclear(world, command);
      if (obstacle !== undefined) return yield { at, ...nothingShown, obstacle };
    }
  }
}

/**
 * What each command of a shorter sequence shows. Its changes were made before, so they are skipped; commands before the last
 * change show nothing, because the deployment no longer has that state.
 */
export async function* shownAgain(world: World, commands: readonly Command[]): AsyncGenerator<ShownAt, void> {
  const sent: Sent[] = [];
  let passed = 0;
  for (const [at, command] of commands.entries()) {
    if (!isChange(command)) {
      const shown = await perform(world, command, sent);
      if (passed === world.changed) yield { at, ...shown };
    } else if (passed < world.changed) passed += 1;
  }
}

/** Makes a change, and says why it is unknown whether it was made: then the model is no longer valid. */
async function whyUnclear(world: World, change: Change): Promise<string | undefined> {
  try {
    return (await changeInSequence(world, change)) ? undefined : 'an answer leaves open whether a change was made';
  } catch (error) {
    if (error instanceof TransportError || error instanceof Blocked) return error.message;
    throw error;
  }
}

/** A request without a readable answer shows nothing: other checks judge that. */
async function perform(world: World, command: Exclude<Command, Change>, sent: Sent[]): Promise<Omit<ShownAt, 'at'>> {
  try {
    return await performed(world, command, sent);
  } catch (error) {
    if (error instanceof TransportError || error instanceof Blocked)
      return { ...nothingShown, obstacle: error.message };
    throw error;
  }
}

async function performed(
  world: World,
  command: Exclude<Command, { do: 'attach' | 'delete' }>,
  sent: Sent[],
): Promise<Shown> {
  switch (command.do) {
    case 'send':
      return sendInSequence(world, command, sent);
    case 'ask':
      return askInSequence(world, command, sent);
    case 'interrupt':
      return interruptInSequence(world, sent);
    case 'repeat':
      return repeatInSequence(world, command, sent);
    case 'pause':
      await world.api.session.clock.sleep(command.ms);
      return nothingShown;
    case 'pause-after-deletion':
      await world.api.session.clock.sleep(Math.max(0, command.ms - sinceChange(world.api.session, 'deleteDataSource')));
      return nothingShown;
    case 'list':
      return listInSequence(world, command);
    case 'filter':
      return filterInSequence(world, command);
    case 'count':
      return countInSequence(world);
    case 'attach-again':
      return attachAgainInSequence(world, command);
    case 'stranger':
      return strangerInSequence(world, command);
  }
}
