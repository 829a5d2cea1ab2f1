import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../reference/random.ts';
import { createHand, type Hand } from './hand.ts';
import { instrument, type Mutant } from './instrument.ts';
import { outdated, reasonOf } from './survivors.ts';
import { passingTests, testsKill } from './tests-that-reach.ts';
import { testsFor, triesOf } from './which-tries.ts';

/** In milliseconds: for all expectations without a mutant, and for a worker that loads the code. */
const allowedMs = { all: 3_600_000, load: 30_000 } as const;

/** A mutant that takes so many times as long as the code without one never ends. */
const patience = 10;

const usage = `npm run mutation -- [options]

  --sample N   try N mutants, drawn from all (300)
  --seed N     the seed of the draw (1)
  --only PATH  only mutants of files whose path begins with PATH, such as suites/
  --help       show this

It works on a copy of the checkout. It first runs everything without a mutant, which takes minutes, then tries each mutant, which
takes seconds, and prints the survivors and the score of each folder. An interrupt ends it with the scores so far. Survivors with a reason in survivors.yaml do not count.
`;

const values = optionsOf(process.argv.slice(2));
const random = seededRandom(Number(values.seed), 'mutants');
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'awc-mutants-'));
let isStopped = false;
process.once('SIGINT', () => (isStopped = true)).once('SIGTERM', () => (isStopped = true));
const hands: Hand[] = [];
try {
  const all = await instrument(root, folder);
  for (const { file, original, replacement } of outdated(all)) {
    process.stdout.write(`outdated reason  ${file}  ${original}  ${replacement}\n`);
  }
  const mutants = all.filter(({ file }) => file.startsWith(values.only));
  const first = createHand(folder);
  hands.push(first);
  const [tests, covered] = await Promise.all([passingTests(folder), first.order({ kind: 'cover' }, allowedMs.all)]);
  if (covered === 'hung' || covered.kind !== 'covered') throw new Error('the suite did not run without a mutant');
  const { by: reaches, outcomes } = covered;
  const reachedBy = new Map<string, string[]>();
  for (const [name, ids] of Object.entries(reaches)) {
    if (outcomes[name] === undefined) continue; // It needs what other checks do.
    for (const id of ids) reachedBy.set(id, [...(reachedBy.get(id) ?? []), name]);
  }
  const atLoad = new Set(covered.atLoad);
  // Who reads a table is not known: every expectation and test that reaches its file may.
  const inFile = Map.groupBy(mutants, ({ file }) => file);
  process.stdout.write(
    `${mutants.length} mutants, ${tests.length} test files, ${Object.keys(outcomes).length} expectations\n`,
  );

  async function killed(mutant: Mutant, hand: Hand): Promise<boolean> {
    const { id, file } = mutant;
    const beside = inFile.get(file) ?? [];
    const isMadeOnce = !reachedBy.has(id) && atLoad.has(id);
    const reaching = isMadeOnce
      ? [...new Set(beside.flatMap((one) => reachedBy.get(one.id) ?? []))]
      : reachedBy.get(id);
    const { near, far } = triesOf(reaching ?? [], (name) => reaches[name]?.length ?? 0, outcomes);
    const areKilled = async (by: readonly string[]): Promise<boolean> => {
      if (by.length === 0) return false;
      const tookMs = by.reduce((sum, name) => sum + (outcomes[name]?.tookMs ?? 0), 0);
      // A table is made once, when the code is loaded, so the mutant must be active by then.
      const trier = isMadeOnce ? createHand(folder, id) : hand;
      const reply = await trier.order({ kind: 'try', mutant: id, by, outcomes }, allowedMs.load + patience * tookMs);
      if (isMadeOnce) await trier.end();
      return reply === 'hung' || reply.kind !== 'tried' || reply.killer !== undefined;
    };
    const direct = tests.filter((test) => test.reaches.has(id));
    // A process that runs several tests loads each file, and makes its tables, once.
    const mayBeTable = atLoad.has(id) || direct.length === 1;
    const reachingTests = mayBeTable ? tests.filter((test) => beside.some((one) => test.reaches.has(one.id))) : direct;
    return (
      (await areKilled(near)) || (await testsKill(folder, id, testsFor(reachingTests, tests))) || (await areKilled(far))
    );
  }

  const scores = new Map<string, { tried: number; killed: number; excused: number }>();
  const left = shuffled(mutants).slice(0, Number(values.sample)).values();

  async function tryNext(hand: Hand): Promise<void> {
    for (const mutant of left) {
      if (isStopped) return;
      const score = scores.get(folderOf(mutant.file)) ?? { tried: 0, killed: 0, excused: 0 };
      scores.set(folderOf(mutant.file), score);
      const reason = reasonOf(mutant);
      if (reason === undefined) score.tried += 1;
      else score.excused += 1;
      if (reason !== undefined) continue;
      if (await killed(mutant, hand)) score.killed += 1;
      else process.stdout.write(`survives  ${placeOf(mutant)}\n`);
    }
  }

  while (hands.length < availableParallelism()) hands.push(createHand(folder));
  await Promise.all(hands.map(tryNext));
  process.stdout.write(`seed ${values.seed}\n`);
  for (const [name, score] of scores) {
    const share = ((100 * score.killed) / score.tried).toFixed(1);
    process.stdout.write(
      `${name}  ${score.tried} tried, ${score.killed} killed: ${share}%; ${score.excused} with a reason\n`,
    );
  }
} finally {
  for (const hand of hands) await hand.end();
  await rm(folder, { recursive: true, force: true });
}

function placeOf({ file, line, column, mutator, original, replacement }: Mutant): string {
  return `${file}:${line}:${column}  ${mutator}  ${original}  =>  ${replacement}`;
}

/** The options; ends the process with the usage where they are wrong. */
function optionsOf(args: readonly string[]): { readonly sample: string; readonly seed: string; readonly only: string } {
  try {
    const { values: found } = parseArgs({
      args: [...args],
      options: {
        sample: { type: 'string', default: '300' },
        seed: { type: 'string', default: '1' },
        only: { type: 'string', default: '' },
        help: { type: 'boolean', default: false },
      },
    });
    for (const name of ['sample', 'seed'] as const) {
      if (!/^\d{1,9}$/.test(found[name])) throw new Error(`--${name} must be a whole number, not ${found[name]}`);
    }
    if (!found.help) return found;
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

/** The folder that a score is printed for: `load/judge`, or a top-level folder. */
function folderOf(file: string): string {
  return file.startsWith('load/') ? file.split('/').slice(0, 2).join('/') : (file.split('/')[0] ?? file);
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => [random.integer(0, 0xffff_ffff), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}
