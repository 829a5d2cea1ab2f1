/** A text to find, and the length in characters from which a part of it counts as found. */
export type Needle = { readonly text: string; readonly least: number };

/** A part of a needle in a text: `from` to `to` in the text are characters `start` and following of the needle. */
export type Match = {
  readonly from: number;
  readonly to: number;
  /** The index of the needle. */
  readonly needle: number;
  readonly start: number;
};

/** Needles are compared by the low byte of each character, in lower case. Other characters match nothing. */
const lettersCount = 256;
const noState = -1;

/**
 * Finds all parts of needles, ignoring the case of ASCII letters, in time that is linear in the text whatever needles and
 * text are: a suffix automaton of the needles knows the longest part that ends at each character. The matches cover all parts
 * with few overlaps: none begins before the end of the last but one.
 */
export function createMatcher(needles: readonly Needle[]): (text: string) => readonly Match[] {
  const automaton = createAutomaton(needles);
  const { lengths, links, next, ends } = automaton;
  const skipped = createSkip(needles);

  return (text) => {
    const matches: Match[] = [];
    let pending: Match | undefined;
    let covered = 0;
    let state = 0;
    let length = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (length === 0) {
        at += skipped(text, at);
        if (at >= text.length) break;
      }
      const letter = letterOf(text.charCodeAt(at));
      let following = next.get(state, letter);
      while (following === noState && state !== 0) {
        state = links[state] ?? 0;
        length = lengths[state] ?? 0;
        following = next.get(state, letter);
      }
      if (following === noState) {
        length = 0;
        continue;
      }
      state = following;
      length += 1;
      const found = ends(state, length, at + 1);
      if (found === undefined) continue;
      if (pending === undefined) covered = found.from;
      else if (found.from > covered) {
        matches.push(pending);
        covered = Math.max(pending.to, found.from);
      }
      pending = found;
    }
    if (pending !== undefined) matches.push(pending);
    return matches;
  };
}

/** How many characters a look ahead compares. */
const glance = 3;
const glances = 2 ** 14;

/** How many characters from a place on cannot begin a part: at their end are characters that are nowhere in a needle. */
function createSkip(needles: readonly Needle[]): (text: string, at: number) => number {
  const shortest = Math.min(...needles.map(({ least }) => least));
  if (shortest < glance || needles.length === 0) return () => 0;
  const known = new Uint8Array(glances);
  for (const { text } of needles) {
    for (let at = 0; at + glance <= text.length; at += 1) known[glanceAt(text, at)] = 1;
  }
  return (text, at) => {
    let end = at + shortest - glance;
    while (end + glance <= text.length && known[glanceAt(text, end)] === 0) end += shortest - glance + 1;
    return end + glance > text.length ? text.length - at : end - (shortest - glance) - at;
  };
}

function glanceAt(text: string, at: number): number {
  const [one, two, three] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
  return ((letterOf(one) * 31 + letterOf(two)) * 37 + letterOf(three)) & (glances - 1);
}

/** The number of a character, the same for both cases of an ASCII letter; -1 for a character that no needle can have. */
function letterOf(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code + 0x20;
  return code < lettersCount ? code : -1;
}

function createAutomaton(needles: readonly Needle[]) {
  const states = grow(needles);
  const { lengths, links, owners, places } = states;
  const least = needles.map((needle) => needle.least);
  // From the longest texts to the shortest: a text belongs to the needle that needs the shortest part.
  const byLength = Array.from(lengths.keys()).sort((one, other) => (lengths[other] ?? 0) - (lengths[one] ?? 0));
  for (const state of byLength) {
    const link = links[state] ?? 0;
    const [owner, linkOwner] = [owners[state] ?? 0, owners[link] ?? 0];
    const [mine, its] = [least[owner] ?? 0, least[linkOwner] ?? 0];
    if (link !== 0 && (mine < its || (mine === its && owner < linkOwner))) {
      owners[link] = owner;
      places[link] = places[state] ?? 0;
    }
  }
  /** For each state, itself or the first shorter one whose longest text counts as found. */
  const counting: number[] = lengths.map(() => 0);
  for (const state of byLength.toReversed()) {
    const counts = state !== 0 && (lengths[state] ?? 0) >= (least[owners[state] ?? 0] ?? 0);
    counting[state] = counts ? state : (counting[links[state] ?? 0] ?? 0);
  }

  /** The longest part that counts among those that end here, where `length` characters match. */
  function ends(state: number, length: number, to: number): Match | undefined {
    const isEnough = length >= (least[owners[state] ?? 0] ?? 0);
    const best = isEnough ? state : (counting[links[state] ?? 0] ?? 0);
    if (best === 0) return undefined;
    const size = isEnough ? length : (lengths[best] ?? 0);
    return { from: to - size, to, needle: owners[best] ?? 0, start: (places[best] ?? 0) - size };
  }

  return { ...states, ends };
}

/** The states of the automaton. `owners` and `places`: a needle that has the texts of a state, and where in it they end. */
function grow(needles: readonly Needle[]) {
  const total = needles.reduce((sum, { text }) => sum + text.length, 0);
  const letters = new Set<number>();
  for (const { text } of needles)
    for (let at = 0; at < text.length; at += 1) letters.add(letterOf(text.charCodeAt(at)));
  const next = createTransitions(total, [...letters]);
  const [lengths, links, owners, places] = [[0], [0], [0], [0]];

  function add(length: number, link: number, owner: number, place: number): number {
    lengths.push(length);
    links.push(link);
    owners.push(owner);
    places.push(place);
    return lengths.length - 1;
  }

  /** Splits a state whose longest text is longer than the text that leads from `from` to it. */
  function split(from: number, letter: number, state: number): number {
    const copy = add((lengths[from] ?? 0) + 1, links[state] ?? 0, owners[state] ?? 0, places[state] ?? 0);
    next.copy(state, copy);
    links[state] = copy;
    for (let at = from; next.get(at, letter) === state; at = links[at] ?? 0) {
      next.set(at, letter, copy);
      if (at === 0) break;
    }
    return copy;
  }

  function targetOf(from: number, letter: number): number {
    const state = next.get(from, letter);
    return lengths[state] === (lengths[from] ?? 0) + 1 ? state : split(from, letter, state);
  }

  for (const [owner, { text }] of needles.entries()) {
    let last = 0;
    for (let place = 0; place < text.length; place += 1) {
      const letter = letterOf(text.charCodeAt(place));
      if (letter < 0) {
        last = 0; // what follows is a part of its own
        continue;
      }
      if (next.get(last, letter) !== noState) {
        last = targetOf(last, letter);
        continue;
      }
      const added = add((lengths[last] ?? 0) + 1, 0, owner, place + 1);
      let at = last;
      while (next.get(at, letter) === noState) {
        next.set(at, letter, added);
        if (at === 0) break;
        at = links[at] ?? 0;
      }
      if (next.get(at, letter) !== added) links[added] = targetOf(at, letter);
      last = added;
    }
  }
  return { next, lengths, links, owners, places };
}

/** Transitions in a hash table, for needles of `total` characters, all among `letters`. */
function createTransitions(total: number, letters: readonly number[]) {
  const size = 2 ** Math.ceil(Math.log2(total * 6 + 16));
  const keys = new Int32Array(size).fill(noState);
  const values = new Int32Array(size);

  function slotOf(key: number): number {
    let slot = (Math.imul(key, 0x9e3779b1) >>> 7) & (size - 1);
    while (keys[slot] !== noState && keys[slot] !== key) slot = (slot + 1) & (size - 1);
    return slot;
  }

  function get(state: number, letter: number): number {
    if (letter < 0) return noState;
    const slot = slotOf(state * lettersCount + letter);
    return keys[slot] === noState ? noState : (values[slot] ?? noState);
  }

  function set(state: number, letter: number, following: number): void {
    const key = state * lettersCount + letter;
    const slot = slotOf(key);
    keys[slot] = key;
    values[slot] = following;
  }

  function copy(from: number, to: number): void {
    for (const letter of letters) {
      const following = get(from, letter);
      if (following !== noState) set(to, letter, following);
    }
  }

  return { get, set, copy };
}
