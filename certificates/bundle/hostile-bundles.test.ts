import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { sealedAnew, sharedBundle, sharedVendor as vendor, textIn, verifier } from '../../testing/try-bundle.ts';
import { verifyBundle } from '../verify-bundle.ts';
import type { Bundle } from './bundle.ts';

let genuine: Bundle;
/** The most that a verification of the genuine bundle takes, in milliseconds. */
let honest: number;

beforeAll(async () => {
  genuine = await sharedBundle();
  await costOf(genuine); // the first takes longer
  honest = Math.max(await costOf(genuine), await costOf(genuine), await costOf(genuine));
});

/** The time of the processor that a verification takes, in milliseconds: other work of the machine does not count. */
async function costOf(bundle: Bundle): Promise<number> {
  const before = process.cpuUsage();
  await verifyBundle(bundle, verifier(vendor));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function sizeOf(bundle: Bundle): number {
  return [...bundle.values()].reduce((sum, { length }) => sum + length, 0);
}

const atoms = [
  'a',
  'ab',
  '$AWC_KEY_ALICE',
  '\\',
  '"',
  '%41',
  '&#65;',
  'YWJj',
  '\0',
  '\n',
  '[',
  '{"a":',
  '__proto__',
  '🦉',
];

const longText = fc
  .tuple(fc.constantFrom(...atoms), fc.constantFrom(1, 100, 4096, 10_000, 100_000))
  .map(([atom, length]) => atom.repeat(Math.ceil(length / atom.length)));

/** A value in a tree of JSON, replaced by a long text or a large number, or repeated if it is in a list. */
type Change = { readonly place: number; readonly text: string; readonly times: number };

const change: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(),
  text: longText,
  times: fc.constantFrom(0, 10, 1900),
});

type Holder = { readonly parent: object; readonly name: string };

function holdersIn(value: unknown): readonly Holder[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [{ parent: value, name }, ...holdersIn(inner)]);
}

function alter(tree: object, { place, text, times }: Change): void {
  const holders = holdersIn(tree);
  const holder = holders[place % holders.length];
  if (holder === undefined) return;
  const { parent, name } = holder;
  const value: unknown = Reflect.get(parent, name);
  if (Array.isArray(parent)) for (let time = 0; time < times; time += 1) parent.push(structuredClone(value));
  else Reflect.set(parent, name, typeof value === 'number' ? place : text);
}

test(
  'a mutated bundle costs at most three times as much as a genuine one of its size',
  { timeout: 300_000 },
  async () => {
    const costOfByte = honest / sizeOf(genuine);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('run', 'record', 'exchanges'), change, fc.nat(), async (part, altered, at) => {
        const bundle = sealedAnew(genuine, vendor, {
          ...(part === 'run' ? { run: (run) => alter(run, altered) } : {}),
          ...(part === 'record' ? { record: (record) => alter(record, altered) } : {}),
          ...(part === 'exchanges' ? { exchanges: (lines) => alterLine(lines, at, altered) } : {}),
        });
        expect(await costOf(bundle)).toBeLessThan(3 * costOfByte * Math.max(sizeOf(bundle), sizeOf(genuine)));
      }),
      { numRuns: 16, seed: 1, endOnFailure: true },
    );
  },
);

function alterLine(lines: string[], at: number, altered: Change): void {
  const index = at % lines.length;
  const value: unknown = JSON.parse(lines[index] ?? '');
  if (typeof value === 'object' && value !== null) alter(value, altered);
  lines[index] = JSON.stringify(value);
}

test.each(['ab', 'a', '0123456789', '\ufeff'])(
  'stand-ins that repeat %j cost no more',
  { timeout: 60_000 },
  async (atom) => {
    const bundle = sealedAnew(genuine, vendor, {
      run: ({ target }) => {
        for (const principal of target.principals) principal.standIn = atom.repeat(8192 / atom.length);
      },
    });
    expect(textIn(bundle, 'run.json')).toContain(atom.repeat(100));
    expect(await costOf(bundle)).toBeLessThan(3 * honest);
  },
);
