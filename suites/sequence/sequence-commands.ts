import fc from 'fast-check';
import { listLagMs } from '../../promises/deletion.ts';
import { type ListOperation, listOperations } from '../../core/page.ts';
import { ShorterLists } from '../../engine/shorter-lists.ts';

/** One request of a sequence. Numbers choose among the existing items, modulo their count. */
export type Command =
  | { readonly do: 'send'; readonly chat: number }
  /** A slow message, which is not waited for. */
  | { readonly do: 'ask'; readonly chat: number }
  /** Another message to the chat of the latest slow one. */
  | { readonly do: 'interrupt' }
  /** The same request again: this many messages back, or, if negative, counted from the first one. */
  | { readonly do: 'repeat'; readonly back: number }
  | { readonly do: 'pause'; readonly ms: number }
  /** Until the last deletion is that long ago, in milliseconds. */
  | { readonly do: 'pause-after-deletion'; readonly ms: number }
  /** A page after that item, or from the beginning. */
  | {
      readonly do: 'list';
      readonly list: ListOperation;
      readonly behind: number | null;
      readonly limit: number;
      readonly by: number;
    }
  | { readonly do: 'filter'; readonly source: number; readonly limit: number; readonly by: number }
  | { readonly do: 'count' }
  | { readonly do: 'attach-again'; readonly which: number }
  /** A principal who is not an admin lists the data sources or the models. */
  | { readonly do: 'stranger'; readonly which: number }
  | Change;

/** Changes, which can be made only once. */
export type Change = { readonly do: 'attach' } | { readonly do: 'delete' };

export function isChange(command: Command): command is Change {
  return command.do === 'attach' || command.do === 'delete';
}

const writes: readonly Command['do'][] = ['send', 'ask', 'interrupt', 'repeat', 'attach-again', 'attach', 'delete'];

/** Whether the command may change something. */
export function isWrite(command: Command): boolean {
  return writes.includes(command.do);
}

/** Commands as a report shows them. */
export function describeCommands(commands: readonly Command[]): string {
  return commands
    .map(({ do: what, ...how }) => [what, ...Object.entries(how).map(([name, value]) => `${name} ${value}`)].join(' '))
    .join('; ');
}

/** A number large enough to choose almost evenly among the items. */
const anyOf = fc.nat(9999);
const pageLimit = fc.integer({ min: 1, max: 8 });

const send = fc.record({ do: fc.constant('send'), chat: anyOf });
const ask = fc.record({ do: fc.constant('ask'), chat: anyOf });
const repeat = fc.record({ do: fc.constant('repeat'), back: fc.nat(7) });
const pause = fc.record({ do: fc.constant('pause'), ms: fc.constantFrom(50, 300) });
const count = fc.record({ do: fc.constant('count') });
const again = fc.record({ do: fc.constant('attach-again'), which: anyOf });
const stranger = fc.record({ do: fc.constant('stranger'), which: anyOf });
const filter = fc.record({ do: fc.constant('filter'), source: anyOf, limit: pageLimit, by: anyOf });

function pages(behind: fc.Arbitrary<number | null>): readonly fc.Arbitrary<Command>[] {
  return listOperations.map((list) =>
    fc.record({ do: fc.constant('list'), list: fc.constant(list), behind, limit: pageLimit, by: anyOf }),
  );
}

/** What comes after each change, with a page of each list and one behind an item. */
const few = [pause, repeat, filter, count, stranger] as const satisfies readonly fc.Arbitrary<Command>[];

/** What comes before them besides. */
const more = [repeat, filter, count, again, stranger] as const satisfies readonly fc.Arbitrary<Command>[];

/**
 * What ends every sequence: whatever was drawn, each kind of promise is asked for once. The page is long, because many data
 * sources that may be deleted can stand before the one that was.
 */
const closing: readonly Command[] = [
  { do: 'send', chat: 0 },
  { do: 'send', chat: 1 },
  { do: 'repeat', back: 1 },
  { do: 'repeat', back: 0 },
  { do: 'repeat', back: -1 },
  { do: 'pause-after-deletion', ms: listLagMs },
  { do: 'list', list: 'listDataSources', behind: 0, limit: 100, by: 0 },
  { do: 'count' },
  ...[0, 1, 2, 3].map((which): Command => ({ do: 'stranger', which })),
];

/** Commands in any order, before the first change or after one. */
function between(...besides: readonly fc.Arbitrary<Command>[]): fc.Arbitrary<readonly Command[]> {
  return fc
    .tuple(...besides, ...few, ...pages(fc.constant(null)), ...pages(anyOf))
    .chain((all) => fc.shuffledSubarray<Command>(all, { minLength: all.length }));
}

/**
 * A sequence of commands in which the changes come in any order, with everything else around each of them. While a slow message is being
 * answered, one change of each kind is made. The sequence shrinks to fewer commands, but for the changes: once made they cannot be left out.
 */
export function drawnSequence(changes: readonly Change[]): fc.Arbitrary<readonly Command[]> {
  // Those that are made meanwhile are one step.
  const steps = changes.length === 0 ? 0 : changes.length - oneOfEachKind(changes).length + 1;
  const drawn = fc
    .tuple(
      fc.shuffledSubarray([...changes], { minLength: changes.length }),
      // Messages cost money, so there is one before the changes and one that is answered meanwhile.
      between(send, ...more),
      fc.array(between(), { minLength: steps, maxLength: steps }),
      ask,
      fc.nat(Math.max(0, changes.length - 2)),
    )
    .map(([ordered, first, rest, asked, place]) => {
      const meanwhile = oneOfEachKind(ordered);
      const made: (readonly Command[])[] = ordered.filter((one) => !meanwhile.includes(one)).map((one) => [one]);
      made.splice(place, 0, [asked, ...meanwhile, { do: 'interrupt' }]);
      return [...[first, ...rest].flatMap((part, index) => [...part, ...(made[index] ?? [])]), ...closing];
    });
  return new ShorterLists(drawn, isChange);
}

function oneOfEachKind(changes: readonly Change[]): readonly Change[] {
  return changes.filter((one) => changes.find((other) => other.do === one.do) === one);
}
