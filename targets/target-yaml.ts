import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import type { TargetProblem } from './target-file-error.ts';
import type { Secret } from '../core/target.ts';
import { type Environment, interpolate, type Interpolated } from './interpolate.ts';

export type Path = readonly PropertyKey[];

/** The variables that a text was made of, with their values; undefined if the text does not stand in the file. */
export type ReadIn = (path: Path) => readonly Secret[] | undefined;

/** A target file as data, with environment references replaced, and the position of each part in the text. */
export type TargetYaml = {
  readonly value: unknown;
  readonly problems: readonly TargetProblem[];
  /** The offset of a part, or of the nearest part around it that exists. `key` is the name in a map, `value` its value. */
  readonly offsetOf: (path: Path, part: 'key' | 'value') => number;
  /** The place of that offset, for people. */
  readonly placeOf: (path: Path, part: 'key' | 'value') => NonNullable<TargetProblem['at']>;
  /** The variable that a text came from, if it came from exactly one. */
  readonly variableOf: (path: Path) => string | undefined;
  readonly readIn: ReadIn;
};

/** At most this many copies by aliases. A file with more is likely an attack. */
const maxAliasCount = 100;
/** The most names and values of a file. */
const maxNodes = 50_000;
const tooManyAliases = 'too many aliases; write the values out';

export function parseTargetYaml(text: string, environment: Environment): TargetYaml {
  const lines = new LineCounter();
  const positionAt = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problem = (offset: number, message: string): TargetProblem => ({ message, at: positionAt(offset) });
  const failed = (problems: readonly TargetProblem[]): TargetYaml => ({
    value: undefined,
    problems,
    offsetOf: () => 0,
    placeOf: () => positionAt(0),
    variableOf: () => undefined,
    readIn: () => [],
  });
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false, // they quote the text, which may contain keys
      stringKeys: true, // keeps an ID such as 0123 as written
      logLevel: 'error', // 'silent' would also hide a second document
      uniqueKeys: false, // the library compares all names of a map with each other; findBadName finds repeated ones
    });
    const faults = [...document.errors, ...document.warnings];
    if (faults.length > 0) return failed(faults.map(({ pos, code }) => problem(pos[0], messageFor(code))));
    const bad = findBadAlias(document) ?? findBadName(document);
    if (bad !== undefined) return failed([problem(...bad)]);
    const follow = createFollow(document);
    const offsetAt: TargetYaml['offsetOf'] = (path, part) => offsetOf(follow(path), path, part);
    const { problems, interpolated } = interpolateAll(document, environment);
    const interpolatedAt = (path: Path) => {
      const node = follow(path).at(-1)?.value;
      const written = isAlias(node) ? node.resolve(document) : node;
      return written === undefined ? undefined : interpolated.get(written);
    };
    return {
      value: document.toJS({ maxAliasCount }),
      problems: problems.map((found) => problem(...found)),
      offsetOf: offsetAt,
      placeOf: (path, part) => positionAt(offsetAt(path, part)),
      variableOf: (path) => interpolatedAt(path)?.variable,
      readIn: (path) => interpolatedAt(path)?.read ?? [],
    };
  } catch (error) {
    return failed([problem(0, messageForThrown(error))]);
  }
}

type Found = readonly [offset: number, message: string];

/** The yaml library checks aliases only while it builds the value, and then without a position. */
function findBadAlias(document: Document.Parsed): Found | undefined {
  let found: Found | undefined;
  let count = 0;
  visit(document, {
    Alias(_key, node) {
      count += 1;
      const offset = node.range?.[0] ?? 0;
      if (count > maxAliasCount) found = [offset, tooManyAliases];
      else if (node.resolve(document) === undefined) found = [offset, messageFor('BAD_ALIAS')];
      return found === undefined ? undefined : visit.BREAK;
    },
  });
  return found;
}

/** Finds a name that occurs twice in its map or that JavaScript objects cannot hold, or too many names and values. */
function findBadName(document: Document.Parsed): Found | undefined {
  let found: Found | undefined;
  let count = 0;
  visit(document, {
    Node(_key, node) {
      count += 1;
      if (count > maxNodes)
        found = [node.range?.[0] ?? 0, `the file has more than ${maxNodes} names and values; shorten it`];
      return found === undefined ? undefined : visit.BREAK;
    },
    Map(_key, { items }) {
      const names = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const offset = key.range?.[0] ?? 0;
        if (key.value === '__proto__') found ??= [offset, '__proto__ cannot be used as a name; choose another'];
        if (names.has(key.value)) found ??= [offset, messageFor('DUPLICATE_KEY')];
        names.add(key.value);
      }
      return found === undefined ? undefined : visit.BREAK;
    },
  });
  return found;
}

function interpolateAll(document: Document.Parsed, environment: Environment) {
  const problems: Found[] = [];
  const interpolated = new Map<Node, Interpolated>();
  visit(document, {
    Scalar(key, node) {
      if (key === 'key' || typeof node.value !== 'string') return;
      const result = interpolate(node.value, environment);
      node.value = result.value;
      interpolated.set(node, result);
      for (const message of result.problems) problems.push([node.range?.[0] ?? 0, message]);
    },
  });
  return { problems, interpolated };
}

type Step = { readonly keyOffset: number; readonly value: Node | undefined };

/** The existing nodes along a path, from the root on. */
function createFollow(document: Document.Parsed): (path: Path) => readonly Step[] {
  const members = new Map<Node, ReadonlyMap<unknown, Step>>();

  /** A linear search in each map would make a long file slow. */
  function membersOf(parent: YAMLMap<Node, Node | null>): ReadonlyMap<unknown, Step> {
    const known = members.get(parent);
    if (known !== undefined) return known;
    const steps = parent.items.map(({ key, value }): readonly [unknown, Step] => [
      isScalar(key) ? key.value : key,
      { keyOffset: key.range?.[0] ?? 0, value: value ?? undefined },
    ]);
    const own = new Map(steps);
    members.set(parent, own);
    return own;
  }

  function child(parent: Node | undefined, name: PropertyKey): Step | undefined {
    if (isSeq<Node>(parent) && typeof name === 'number') {
      const value = parent.items[name];
      return value === undefined ? undefined : { keyOffset: value.range?.[0] ?? 0, value };
    }
    return isMap<Node, Node | null>(parent) ? membersOf(parent).get(name) : undefined;
  }

  return (path) => {
    const steps: Step[] = [{ keyOffset: 0, value: document.contents ?? undefined }];
    for (const name of path) {
      let parent = steps.at(-1)?.value;
      if (isAlias(parent)) parent = parent.resolve(document);
      const step = child(parent, name);
      if (step === undefined) break;
      steps.push(step);
    }
    return steps;
  };
}

function offsetOf(steps: readonly Step[], path: Path, part: 'key' | 'value'): number {
  const last = steps.at(-1);
  if (last === undefined) return 0;
  const isWhole = steps.length === path.length + 1;
  if (part === 'key' || !isWhole) return last.keyOffset;
  const [start, end] = last.value?.range ?? [0, 0]; // an empty value has no position
  return start === end ? last.keyOffset : start;
}

function messageFor(code: string): string {
  switch (code) {
    case 'DUPLICATE_KEY':
      return 'this name appears twice in its map; remove one';
    case 'TAB_AS_INDENT':
      return 'this line is indented with a tab; use spaces';
    case 'BAD_ALIAS':
      return 'this alias has no anchor before it; write the value out';
    case 'BAD_INDENT':
      return 'the indentation is wrong; align it with the lines around it';
    case 'MULTIPLE_DOCS':
      return 'a second YAML document begins here; a file may hold only one';
    case 'TAG_RESOLVE_FAILED':
      return 'tags with "!" are not supported; remove the tag';
    case 'NON_STRING_KEY':
      return 'this name is not text; put it in quotes';
    case 'RESOURCE_EXHAUSTION':
      return 'the file is nested too deeply; use at most five levels';
    default:
      return `this is not YAML (${code.toLowerCase().replaceAll('_', ' ')}); check quotes, brackets and indentation`;
  }
}

function messageForThrown(error: unknown): string {
  if (error instanceof ReferenceError) return tooManyAliases;
  if (error instanceof RangeError) return 'the file is nested too deeply; use at most five levels';
  return 'this cannot be read as YAML; check quotes, brackets and indentation';
}
