import { Api } from '../../engine/api.ts';
import { shared } from '../../engine/fixture.ts';
import { CounterexampleFound, forAll } from '../../engine/properties.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import { type Command, drawnSequence, describeCommands } from './sequence-commands.ts';
import { type Failure, shorterFailure } from './sequence-failure.ts';
import { shownBy } from './sequence-player.ts';
import type { Disagreement, SequencePromise } from './sequence-promises.ts';
import { changesOf, givenWorld, type World } from './sequence-world.ts';

/** What a sequence of commands showed about each requirement. */
export type Played = {
  readonly kept: ReadonlySet<SequencePromise>;
  /** What breaks a promise; the one that was seen first is shrunk. */
  readonly broken: ReadonlyMap<SequencePromise, Disagreement | CounterexampleFound>;
  /** The first reason why commands showed nothing; undefined if every command could be judged. */
  readonly obstacle: string | undefined;
  readonly lacking: World['lacking'];
};

/** Requests that one sequence and its shrinking may take in all. */
const requests = 1000;

const begunIn = perRun(() => ({ times: 0 }));

/**
 * One drawn sequence of commands over the whole API, played once in a run and compared with a model. The sequence of the
 * first broken promise is shrunk. Changes cannot be undone, so shorter sequences skip their changes, and are judged from the
 * point where the deployment has the state that they describe.
 */
export const playedSequence = shared(async (asking: Api): Promise<Played> => {
  // The drawn sequence does not depend on which check asks first. If it begins anew after a missing answer, its keys are new.
  const begun = begunIn(asking.session);
  begun.times += 1;
  const api = new Api(asking.session, 'sequence', begun.times, asking.replayPath);
  try {
    return await play(api, await givenWorld(api));
  } finally {
    for (const chat of api.leased) api.session.chats.release(chat);
  }
});

async function play(api: Api, world: World): Promise<Played> {
  const keptPromises = new Set<SequencePromise>();
  const found = new Map<SequencePromise, Disagreement | CounterexampleFound>();
  let failure: Failure | undefined;
  let obstacle: string | undefined;

  async function playWhole(commands: readonly Command[]): Promise<void> {
    for await (const { at, kept, broken, ...shown } of shownBy(world, commands, () => failure === undefined)) {
      obstacle ??= shown.obstacle;
      for (const promise of kept) keptPromises.add(promise);
      if (broken === undefined) continue;
      failure ??= { commands, at, broken, recurs: undefined };
      if (!found.has(broken.promise)) found.set(broken.promise, broken);
    }
  }

  try {
    await forAll(
      api,
      drawnSequence(changesOf(world)),
      { runs: 1, requests },
      async (commands) => {
        if (failure === undefined) await playWhole(commands);
        else failure = await shorterFailure(world, commands, failure);
        if (failure?.commands === commands) throw failure.broken;
      },
      describeCommands,
    );
  } catch (error) {
    if (failure === undefined || !(error instanceof CounterexampleFound)) throw error;
    found.set(failure.broken.promise, error);
  }
  const [first] = found.keys();
  return {
    kept: keptPromises,
    broken: found,
    lacking: world.lacking,
    obstacle: first === undefined ? obstacle : `it makes no more changes after a violation, and ${first} is violated`,
  };
}
