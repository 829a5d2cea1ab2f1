/**
 * `npm run fuzz -- [--minutes 10] [--seed 1] [--at 123] [PARSER…]`: reads mutated real inputs with each parser of untrusted input,
 * one parser after the other. An input must be read or refused with a sentence, in bounded time and memory. The exit code is 1 if
 * one is not. Each input follows from the seed and its number: `--at` reads only that one.
 */
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { parsers } from './parsers.ts';
import { messageSchema } from './plan.ts';

/** A worker that reads one input for longer than this hangs, in milliseconds. */
const hangsMs = 60_000;
/** The most memory of a parser. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 } as const;
/** The most findings of one parser. */
const mostFindings = 5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    at: { type: 'string' },
  },
});
const at = values.at === undefined ? undefined : Number(values.at);
const unknown = positionals.filter((name) => parsers.every((parser) => parser.name !== name));
if (unknown.length > 0)
  throw new Error(`there is no parser ${unknown.join(', ')}: ${parsers.map(({ name }) => name).join(', ')}`);

type Amounts = { read: number; refused: number; slowest: number; findings: number };

/** Reads inputs until the time is over, and goes on after one that ends the worker. */
async function fuzz(parser: string, ms: number): Promise<Amounts> {
  const amounts: Amounts = { read: 0, refused: 0, slowest: 0, findings: 0 };
  const startedAt = performance.now();
  let from = at ?? 1;
  for (;;) {
    const left = ms - (performance.now() - startedAt);
    if (left <= 0 || amounts.findings >= mostFindings) return amounts;
    const ended = await fuzzFrom(parser, from, left, amounts);
    if (ended === undefined) return amounts;
    amounts.read += ended - from + 1;
    from = ended + 1;
    if (at !== undefined) return amounts;
  }
}

/** Resolves to the input that ended the worker; to undefined if it came to its end. */
function fuzzFrom(parser: string, from: number, ms: number, amounts: Amounts): Promise<number | undefined> {
  const ordinals = new SharedArrayBuffer(4);
  const current = new Int32Array(ordinals);
  const plan = { parser, seed: Number(values.seed), from, to: at === undefined ? 2 ** 31 - 1 : at + 1, ms, ordinals };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: plan, resourceLimits });
  const { promise, resolve } = Promise.withResolvers<number | undefined>();

  function report(ordinal: number, problem: string, input = ''): void {
    amounts.findings += 1;
    process.stdout.write(
      `${parser}: input ${ordinal} of seed ${values.seed}: ${problem}\n${input === '' ? '' : `${JSON.stringify(input)}\n`}`,
    );
  }
  function endAt(problem: string): void {
    const ordinal = Atomics.load(current, 0);
    report(ordinal, problem);
    void worker.terminate().then(() => resolve(ordinal));
  }

  let seen = -1;
  let seenAt = performance.now();
  const watch = setInterval(() => {
    const now = Atomics.load(current, 0);
    if (now !== seen) [seen, seenAt] = [now, performance.now()];
    else if (now > 0 && performance.now() - seenAt > hangsMs) endAt(`is still read after ${hangsMs / 1000} s`);
  }, 1000);
  worker.on('error', (error) => endAt(`ended the parser: ${error instanceof Error ? error.stack : String(error)}`));
  worker.on('message', (posted: unknown) => {
    const message = messageSchema.parse(posted);
    if (message.kind === 'finding') {
      report(message.ordinal, message.problem, message.input);
      if (amounts.findings >= mostFindings) void worker.terminate().then(() => resolve(undefined));
      return;
    }
    amounts.read += message.read;
    amounts.refused += message.refused;
    amounts.slowest = Math.max(amounts.slowest, message.slowest);
    resolve(undefined);
  });
  return promise.finally(() => clearInterval(watch));
}

for (const { name } of parsers.filter((parser) => positionals.length === 0 || positionals.includes(parser.name))) {
  const startedAt = performance.now();
  const { read, refused, slowest, findings } = await fuzz(name, Number(values.minutes) * 60_000);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  const slow = slowest === 0 ? 'none slow' : `slowest ${slowest.toFixed(1)} × a genuine one`;
  process.stdout.write(
    `${name}: ${minutes} min, ${read} inputs, ${refused} refused with a sentence, ${slow}, ${findings} findings\n`,
  );
  if (findings > 0) process.exitCode = 1;
}
