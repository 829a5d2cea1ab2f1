import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import type { TargetProblem } from './target-file-error.ts';
import { type Environment, interpolate } from './interpolate.ts';

export type Path = readonly PropertyKey[];

/** A target file as data, references to the environment replaced, and where in the text each part of it stands. */
export type TargetYaml = {
  readonly value: unknown;
  readonly problems: readonly TargetProblem[];
  /** Of a part, or of the nearest thing around it that the text has; `key` means the name in a map, not what it maps to. */
  readonly offsetOf: (path: Path, part: 'key' | 'value') => number;
  readonly positionAt: (offset: number) => { readonly line: number; readonly column: number };
  /** The variable that a text came from, when it came from exactly one. */
  readonly variableOf: (path: Path) => string | undefined;
};

/** Copies that aliases may make, all in all: a few spare typing, a file that needs more is a bomb. */
const maxAliasCount = 100;
const bombWords = 'aliases repeat more than a file of this kind needs; write the values out';

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
    positionAt,
    variableOf: () => undefined,
  });
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false, // they quote the text, and with it keys
      stringKeys: true, // an ID such as 0123 must stay as it is written
      logLevel: 'error', // 'silent' would also hide a second document
    });
    const faults = [...document.errors, ...document.warnings];
    if (faults.length > 0) return failed(faults.map(({ pos, code }) => problem(pos[0], wordsFor(code))));
    const badAlias = findBadAlias(document);
    if (badAlias !== undefined) return failed([problem(...badAlias)]);
    const { problems, variables } = interpolateAll(document, environment);
    return {
      value: document.toJS({ maxAliasCount }),
      problems: problems.map((found) => problem(...found)),
      offsetOf: (path, part) => offsetOf(document, path, part),
      positionAt,
      variableOf: (path) => {
        const node = follow(document, path).at(-1)?.value;
        return node === undefined ? undefined : variables.get(node);
      },
    };
  } catch (error) {
    return failed([problem(0, wordsForThrown(error))]);
  }
}

type Found = readonly [offset: number, message: string];

/** yaml looks for these only while it builds the value, and then says no place. */
function findBadAlias(document: Document.Parsed): Found | undefined {
  let found: Found | undefined;
  let count = 0;
  visit(document, {
    Alias(_key, node) {
      count += 1;
      const offset = node.range?.[0] ?? 0;
      if (count > maxAliasCount) found = [offset, bombWords];
      else if (node.resolve(document) === undefined) found = [offset, wordsFor('BAD_ALIAS')];
      return found === undefined ? undefined : visit.BREAK;
    },
  });
  return found;
}

function interpolateAll(document: Document.Parsed, environment: Environment) {
  const problems: Found[] = [];
  const variables = new Map<Node, string>();
  visit(document, {
    Scalar(key, node) {
      if (key === 'key' || typeof node.value !== 'string') return;
      const interpolated = interpolate(node.value, environment);
      node.value = interpolated.value;
      if (interpolated.variable !== undefined) variables.set(node, interpolated.variable);
      for (const message of interpolated.problems) problems.push([node.range?.[0] ?? 0, message]);
    },
  });
  return { problems, variables };
}

type Step = { readonly keyOffset: number; readonly value: Node | undefined };

/** The nodes from the root along a path, as far as the text has them. */
function follow(document: Document.Parsed, path: Path): readonly Step[] {
  const steps: Step[] = [{ keyOffset: 0, value: document.contents ?? undefined }];
  for (const name of path) {
    let parent = steps.at(-1)?.value;
    if (isAlias(parent)) parent = parent.resolve(document);
    const step = child(parent, name);
    if (step === undefined) break;
    steps.push(step);
  }
  return steps;
}

function child(parent: Node | undefined, name: PropertyKey): Step | undefined {
  if (isSeq<Node>(parent) && typeof name === 'number') {
    const value = parent.items[name];
    return value === undefined ? undefined : { keyOffset: value.range?.[0] ?? 0, value };
  }
  if (!isMap<Node, Node | null>(parent)) return undefined;
  const pair = parent.items.find(({ key }) => isScalar(key) && key.value === name);
  return pair === undefined ? undefined : { keyOffset: pair.key.range?.[0] ?? 0, value: pair.value ?? undefined };
}

function offsetOf(document: Document.Parsed, path: Path, part: 'key' | 'value'): number {
  const steps = follow(document, path);
  const last = steps.at(-1);
  if (last === undefined) return 0;
  const isWhole = steps.length === path.length + 1;
  if (part === 'key' || !isWhole) return last.keyOffset;
  const [start, end] = last.value?.range ?? [0, 0]; // an empty value has no place of its own
  return start === end ? last.keyOffset : start;
}

function wordsFor(code: string): string {
  switch (code) {
    case 'DUPLICATE_KEY':
      return 'this name stands twice in its map; keep one of them';
    case 'TAB_AS_INDENT':
      return 'a tab indents this line; YAML wants spaces';
    case 'BAD_ALIAS':
      return 'this alias refers to no anchor before it; write the value out';
    case 'BAD_INDENT':
      return 'the indentation does not fit what is around it; line it up with its neighbours';
    case 'MULTIPLE_DOCS':
      return 'a second document begins here; one is all a file may hold';
    case 'TAG_RESOLVE_FAILED':
      return 'tags with "!" have no meaning here; remove it';
    case 'NON_STRING_KEY':
      return 'this name is not text; put it in quotes';
    case 'RESOURCE_EXHAUSTION':
      return 'the file is nested too deeply; five levels are enough';
    default:
      return `this is not YAML (${code.toLowerCase().replaceAll('_', ' ')}); check quotes, brackets and indentation`;
  }
}

function wordsForThrown(error: unknown): string {
  if (error instanceof ReferenceError) return bombWords;
  if (error instanceof RangeError) return 'the file is nested too deeply; five levels are enough';
  return 'this cannot be read as YAML; check quotes, brackets and indentation';
}
