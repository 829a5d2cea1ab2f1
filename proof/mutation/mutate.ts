import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { seededRandom } from '../../reference/random.ts';
import { instrument } from './instrument.ts';
import type { Order, Reply } from './mutant-worker.ts';
import { testsKill, testsOf } from './tests-beside.ts';

/** How many of the expectations that reach a mutant are tried, by their kind; those that reach the fewest mutants come first. */
const tries = { silent: 4, kill: 10, seen: 10, others: 60 } as const;

/** In milliseconds: for one mutant, which never ends if it takes longer, and for all expectations without one. */
const timeoutMs = { mutant: 120_000, none: 1_200_000 } as const;

/** A worker that is started again when a mutant hangs or breaks it. `mutant` is active while the worker loads the code. */
function createHand(folder: string, mutant?: string) {
  const script = pathToFileURL(join(folder, 'proof/mutation/mutant-worker.ts'));
  let answered: (reply: Reply | 'hung') => void = () => {};
  let worker = start();

  function start(): Worker {
    const env = { ...process.env, ...(mutant === undefined ? {} : { __STRYKER_ACTIVE_MUTANT__: mutant }) };
    const started = new Worker(script, { env });
    started.on('message', (reply: Reply) => answered(reply));
    started.on('error', () => answered('hung'));
    return started;
  }

  return {
    async order(order: Order, mostMs: number): Promise<Reply | 'hung'> {
      const { promise, resolve } = Promise.withResolvers<Reply | 'hung'>();
      answered = resolve;
      const timer = setTimeout(() => resolve('hung'), mostMs);
      worker.postMessage(order);
      const reply = await promise;
      clearTimeout(timer);
      if (reply === 'hung') {
        await worker.terminate();
        worker = start();
      }
      return reply;
    },
    end: () => worker.terminate(),
  };
}

const usage = `npm run mutation -- [options]

  --sample N   try N mutants, drawn from all (300)
  --seed N     the seed of the draw (1)
  --only PATH  only mutants of files whose path begins with PATH, such as suites/
  --help       show this

It works on a copy of the checkout. It first runs everything without a mutant, which takes minutes, then tries each mutant, which
takes seconds, and prints the survivors and the score of each folder.
`;

const values = optionsOf(process.argv.slice(2));
const random = seededRandom(Number(values.seed), 'mutants');
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'awc-mutants-'));
try {
  const mutants = (await instrument(root, folder)).filter(({ file }) => file.startsWith(values.only));
  const hand = createHand(folder);
  const covered = await hand.order({ kind: 'cover' }, timeoutMs.none);
  if (covered === 'hung' || covered.kind !== 'covered') throw new Error('the suite did not run without a mutant');
  const reachedBy = new Map<string, string[]>();
  for (const [name, ids] of Object.entries(covered.by)) {
    if (covered.outcomes[name] === undefined) continue; // It needs what other checks do.
    for (const id of ids) reachedBy.set(id, [...(reachedBy.get(id) ?? []), name]);
  }
  const tests = new Map<string, readonly string[]>();
  for (const { file } of mutants) if (!tests.has(file)) tests.set(file, await testsOf(folder, file));
  const atLoad = new Set(covered.atLoad);
  // Who reads a table is not known: every expectation that reaches its file may.
  const reachingFile = new Map<string, Set<string>>();
  for (const { id, file } of mutants) {
    const names = reachingFile.get(file) ?? new Set();
    for (const name of reachedBy.get(id) ?? []) names.add(name);
    reachingFile.set(file, names);
  }
  process.stdout.write(`${mutants.length} mutants\n`);

  const reachOf = (name: string): number => covered.by[name]?.length ?? 0;
  const scores = new Map<string, { tried: number; killed: number }>();
  const sample = shuffled(mutants).slice(0, Number(values.sample));
  for (const mutant of sample) {
    const isMadeOnce = !reachedBy.has(mutant.id) && atLoad.has(mutant.id);
    const reaching = isMadeOnce ? [...(reachingFile.get(mutant.file) ?? [])] : (reachedBy.get(mutant.id) ?? []);
    // An expectation that reaches few mutants depends most on this one.
    const names = reaching.toSorted((one, other) => reachOf(one) - reachOf(other));
    const kills = names.filter((name) => name.startsWith('fault '));
    const silents = names.filter((name) => name.startsWith('check ')).slice(0, tries.silent);
    const whole = names.filter((name) => /^(legal|thin) /.test(name));
    // One fault for each set of checks that find one.
    const others = evenly([...new Map(kills.map((name) => [covered.outcomes[name], name])).values()], tries.others);
    const seen = names.filter((name) => name.startsWith('seen ')).slice(0, tries.seen);
    const tried = [...kills.slice(0, tries.kill), ...silents, ...seen, ...whole, ...others];
    const by = tried.map((name) => [name, covered.outcomes[name] ?? ''] as const);
    // A table is made once, when the code is loaded, so the mutant must be active by then.
    const trier = isMadeOnce ? createHand(folder, mutant.id) : hand;
    const reply = await trier.order({ kind: 'try', mutant: mutant.id, by }, timeoutMs.mutant);
    if (isMadeOnce) await trier.end();
    const score = scores.get(folderOf(mutant.file)) ?? { tried: 0, killed: 0 };
    scores.set(folderOf(mutant.file), score);
    score.tried += 1;
    const isKilled = reply === 'hung' || reply.kind !== 'tried' || reply.killer !== undefined;
    if (isKilled || (await testsKill(folder, mutant.id, tests.get(mutant.file) ?? []))) {
      score.killed += 1;
      continue;
    }
    const { file, line, column, mutator, replacement } = mutant;
    process.stdout.write(`survives  ${file}:${line}:${column}  ${mutator}  ${replacement}\n`);
  }
  await hand.end();
  process.stdout.write(`seed ${values.seed}\n`);
  for (const [name, { tried, killed }] of scores) {
    process.stdout.write(`${name}  ${tried} tried, ${killed} killed: ${((100 * killed) / tried).toFixed(1)}%\n`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
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

/** At most `most` items, at even distances. */
function evenly<Item>(items: readonly Item[], most: number): readonly Item[] {
  const step = Math.max(1, items.length / most);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
