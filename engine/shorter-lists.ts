import fc from 'fast-check';

/** The progress of the search for a shorter list: it leaves out chunks of `size` items, starting at index `from`. */
class Stage {
  readonly size: number;
  readonly from: number;

  constructor(size: number, from: number) {
    this.size = size;
    this.from = from;
  }
}

/**
 * Lists that `whole` draws and that shrink by leaving items out: first the end, because items after a failure cannot cause
 * it, then chunks of half the list, of a quarter, down to single items. The arrays of fast-check also shrink each item,
 * which is expensive because every try sends requests. Items for which `isKept` holds stay.
 */
export class ShorterLists<Item> extends fc.Arbitrary<readonly Item[]> {
  readonly #whole: fc.Arbitrary<readonly Item[]>;
  readonly #isKept: (item: Item) => boolean;

  constructor(whole: fc.Arbitrary<readonly Item[]>, isKept: (item: Item) => boolean) {
    super();
    this.#whole = whole;
    this.#isKept = isKept;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<readonly Item[]> {
    return new fc.Value(this.#whole.generate(random, biasFactor).value, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is readonly Item[] {
    return Array.isArray(value);
  }

  override shrink(list: readonly Item[], context: unknown): fc.Stream<fc.Value<readonly Item[]>> {
    return new fc.Stream(context instanceof Stage ? this.#withoutChunks(list, context) : this.#shorter(list));
  }

  *#shorter(list: readonly Item[]): Generator<fc.Value<readonly Item[]>, undefined> {
    for (let size = Math.ceil(list.length / 2); size >= 1; size = nextSize(size)) {
      yield new fc.Value(list.slice(0, -size), undefined);
    }
    yield* this.#withoutChunks(list, new Stage(Math.ceil(list.length / 2), 0));
    return undefined;
  }

  /** The search continues at the place where it found a shorter list, so that it tries no chunk of one size twice. */
  *#withoutChunks(list: readonly Item[], stage: Stage): Generator<fc.Value<readonly Item[]>, undefined> {
    for (let { size, from } = stage; size >= 1; size = nextSize(size), from = 0) {
      for (let place = from; place < list.length; place += size) {
        const rest = list.filter((item, index) => index < place || index >= place + size || this.#isKept(item));
        if (rest.length < list.length) yield new fc.Value(rest, new Stage(size, place));
      }
    }
    return undefined;
  }
}

function nextSize(size: number): number {
  return size === 1 ? 0 : Math.ceil(size / 2);
}
