import { type Command, isChange, isWrite } from './sequence-commands.ts';
import { shownAgain } from './sequence-player.ts';
import type { Disagreement } from './sequence-promises.ts';
import type { World } from './sequence-world.ts';

/** The last sequence that broke a promise. */
export type Failure = {
  readonly commands: readonly Command[];
  /** The place of the command that showed it. */
  readonly at: number;
  readonly broken: Disagreement;
  /**
   * When the failure recurs after the changes of the sequence were made. `never`: only while making them. `always`: whatever is
   * sent, so the write that caused it is unknown. `played`: when the sequence is played. Undefined: not tried.
   */
  readonly recurs: 'never' | 'always' | 'played' | undefined;
};

/** The failure of a shorter sequence; the previous one if no shorter one fails, or if the cause is unknown. */
export async function shorterFailure(world: World, commands: readonly Command[], before: Failure): Promise<Failure> {
  const isItsBeginning = commands.every((command, place) => command === before.commands[place]);
  // The beginning was played already, and shows what it showed.
  if (isItsBeginning) return commands.length > before.at ? { ...before, commands } : before;
  const recurs = before.recurs ?? (await recurrence(world, before));
  const known = { ...before, recurs };
  switch (recurs) {
    case 'never':
      return known;
    case 'always':
      return withAllWrites(commands, known);
    case 'played':
      return (await playedAgain(world, commands, known)) ?? known;
  }
}

async function recurrence(world: World, failure: Failure): Promise<'never' | 'always' | 'played'> {
  const played = failure.commands.slice(0, failure.at + 1);
  if ((await playedAgain(world, played, failure)) === undefined) return 'never';
  const reads = played.filter((command) => !isWrite(command) || isChange(command));
  return (await playedAgain(world, reads, failure)) === undefined ? 'played' : 'always';
}

async function playedAgain(world: World, commands: readonly Command[], before: Failure): Promise<Failure | undefined> {
  for await (const { at, broken } of shownAgain(world, commands)) {
    if (broken?.promise === before.broken.promise) return { ...before, commands, at, broken };
  }
  return undefined;
}

/** If the deployment stays broken, only reads can be left out: playing the rest would show nothing new. */
function withAllWrites(commands: readonly Command[], before: Failure): Failure {
  const needed = before.commands
    .slice(0, before.at + 1)
    .filter((command, place) => place === before.at || isWrite(command));
  if (!needed.every((command) => commands.includes(command))) return before;
  const at = commands.findIndex((command) => command === before.commands[before.at]);
  return { ...before, commands, at };
}
