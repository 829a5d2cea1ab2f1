/** Reads input after input in a thread of its own, and reports what it should not have done. */
import { parentPort, workerData } from 'node:worker_threads';
import { seededRandom } from '../../reference/random.ts';
import { parsers } from './parsers.ts';
import { type Message, planSchema } from './plan.ts';
import { isRefusal } from './refusal.ts';

/** An input may take this many times what a genuine one of its size takes, and at least so many milliseconds. */
const mostTimes = 3;
const leastMs = 1000;

const plan = planSchema.parse(workerData);
const current = new Int32Array(plan.ordinals);
const parser = parsers.find(({ name }) => name === plan.parser);
if (parser === undefined) throw new Error(`there is no parser ${plan.parser}`);
const { draw, genuine } = await parser.open();

function post(message: Message): void {
  parentPort?.postMessage(message);
}

type Tried = {
  /** The time of the processor, in milliseconds: other work of the machine does not count. */
  readonly ms: number;
  readonly end: 'read' | 'refused' | { readonly problem: string };
};

async function tryTo(read: () => unknown): Promise<Tried> {
  const before = process.threadCpuUsage();
  const end = await endOf(read);
  const { user, system } = process.threadCpuUsage(before);
  return { ms: (user + system) / 1000, end };
}

async function endOf(read: () => unknown): Promise<Tried['end']> {
  try {
    await read();
    return 'read';
  } catch (error) {
    if (isRefusal(error)) return 'refused';
    return { problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** What the slowest genuine input takes for each of its characters; each is read three times. */
async function genuineMsEach(): Promise<number> {
  let most = 0;
  for (const { input, read } of [...genuine, ...genuine, ...genuine]) {
    most = Math.max(most, (await tryTo(read)).ms / input.length);
  }
  return most;
}

const msEach = await genuineMsEach();
const leastLength = Math.min(...genuine.map(({ input }) => input.length));
const endsAt = performance.now() + plan.ms;
let slowest = 0;
let refused = 0;
let ordinal = plan.from;
for (; ordinal < plan.to && performance.now() < endsAt; ordinal += 1) {
  Atomics.store(current, 0, ordinal);
  const { input, read } = draw(seededRandom(plan.seed, `${plan.parser} ${ordinal}`));
  const report = (problem: string) => post({ kind: 'finding', ordinal, problem, input: input.slice(0, 2000) });
  const { ms, end } = await tryTo(read);
  if (end === 'refused') refused += 1;
  else if (end !== 'read') report(end.problem);
  if (ms < leastMs) continue;
  const times = ms / (msEach * Math.max(leastLength, input.length));
  slowest = Math.max(slowest, times);
  if (times > mostTimes) report(`took ${Math.round(ms)} ms, ${times.toFixed(1)} × a genuine one of its size`);
}
post({ kind: 'end', read: ordinal - plan.from, refused, slowest });
