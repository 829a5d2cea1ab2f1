import { realClock } from '../../../core/clock.ts';
import { at, parseJson, stringAt } from '../../../core/json.ts';
import { paths } from '../../../core/paths.ts';
import type { Principal, Target } from '../../../core/target.ts';
import type { Fact } from '../../../reports/load/load-record.ts';
import type { Arrived } from '../../engine/sockets.ts';
import { openChats } from '../../schedule/chat-turns.ts';
import { type LoadRequest, messageRequest, requestWithoutBody } from '../../schedule/load-request.ts';
import type { LimitedTarget } from './limited-target.ts';

/** A write that is tried while every request is refused, and checked for effects afterwards. */
type RefusedWrite = {
  /** Reads the state before; false if the write cannot be tried. */
  readonly prepare: () => Promise<boolean>;
  /** Writes, and returns whether the write was refused. */
  readonly attempt: () => Promise<boolean>;
  /** Checks whether it had an effect. */
  readonly verify: () => Promise<Fact>;
};

export type WriteOptions = {
  readonly target: Target;
  readonly principal: Principal;
  readonly limited: LimitedTarget;
  /** Part of every key that is written. */
  readonly runId: string;
  readonly timeoutMs: number;
};

const lookAgainMs = 150;
const maxTries = 8;
const mostWaitMs = 30_000;
const replyWaitSeconds = 10;
/** Pages that are searched for a data source. */
const maxPages = 5;
const pageLimit = 100;

/** Does a refused write have an effect? Tries every write that the target file allows. */
export function createRefusedWrites(options: WriteOptions) {
  const { limited } = options;
  const writes = [deletion(options), message(options)].filter((write) => write !== undefined);
  const ready: RefusedWrite[] = [];
  const refused = new Map<RefusedWrite, boolean>();

  async function prepare(): Promise<void> {
    for (const write of writes) if (await write.prepare()) ready.push(write);
  }

  /** Whether requests are still refused. `retryAfterMs` may be wrong, so this probes twice. */
  async function isHeld(): Promise<boolean> {
    if ((await limited.probe()).kind !== 'limited') return false;
    await realClock.sleep(lookAgainMs);
    return (await limited.probe()).kind === 'limited';
  }

  /** Writes only once, and only while requests are refused. */
  async function attempt(): Promise<void> {
    if (refused.size > 0 || ready.length === 0 || !(await isHeld())) return;
    for (const write of ready) refused.set(write, await write.attempt());
  }

  async function verify(): Promise<readonly Fact[]> {
    if (refused.size === 0) {
      const why =
        ready.length === 0 ? 'it takes messages or deletions in allow' : 'nothing was refused for long enough';
      return [{ name: 'refused writes', value: `none was tried; ${why}` }];
    }
    const facts: Fact[] = [];
    for (const [write, isRefused] of refused) {
      facts.push(isRefused ? await write.verify() : fact('one was accepted while the lists were refused', 'unclear'));
    }
    return facts;
  }

  return { prepare, attempt, verify };
}

function fact(value: string, verdict: Fact['verdict']): Fact {
  return { name: 'refused writes', value, verdict };
}

/** A message to an idle chat; undefined if the target file does not allow one. */
function message({ target, principal, limited, runId, timeoutMs }: WriteOptions): RefusedWrite | undefined {
  const { quickPrompt, slowPrompt } = target.assistant;
  const chat = target.allow.has('messages') ? openChats(target).find(({ admin }) => admin === principal) : undefined;
  if (chat === undefined) return undefined;
  let before: readonly string[] = [];

  const request = (text: string, part: string, waitSeconds?: number): LoadRequest =>
    messageRequest(target, chat, { text, key: `awc-${runId}-${part}`, waitSeconds, timeoutMs });

  return {
    async prepare() {
      const answer = await sendPatiently(limited, request(quickPrompt, 'before', replyWaitSeconds));
      if (answer.outcome === 200)
        before = ['userMessage', 'assistantMessage'].flatMap((part) => idOf(answer, part, 'id') ?? []);
      return before.length > 0;
    },
    // The slow prompt makes it visible that a chat answers the refused message: it stays busy.
    attempt: async () => (await limited.send(request(slowPrompt, 'refused'))).sample.kind === 'limited',
    async verify() {
      const answer = await sendPatiently(limited, request(quickPrompt, 'after'));
      const parentId = idOf(answer, 'userMessage', 'parentId');
      if (answer.outcome === 409) return fact('a message that got 429 is being answered', 'bad');
      if (parentId === undefined) return fact('whether a message that got 429 was stored cannot be seen', 'unclear');
      return before.includes(parentId)
        ? fact('a message that got 429 left no trace', 'good')
        : fact('a message that got 429 was added to the chat', 'bad');
    },
  };
}

function idOf({ body }: Arrived, part: string, name: string): string | undefined {
  return stringAt(parseJson(Buffer.concat(body)).value, 'data', part, name);
}

/** A deletion of a disposable data source; undefined if the target file does not allow one. */
function deletion({ target, principal, limited, timeoutMs }: WriteOptions): RefusedWrite | undefined {
  const source = target.allow.has('deletions') ? disposableOf(target, principal) : undefined;
  if (source === undefined) return undefined;
  const { organizationId, id } = source;

  /** Undefined where the list cannot be read. */
  async function isListed(): Promise<boolean | undefined> {
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const query = cursor === undefined ? { limit: pageLimit } : { limit: pageLimit, cursor };
      const path = paths.dataSources(organizationId, query);
      const arrived = await sendPatiently(limited, requestWithoutBody('listDataSources', principal, path, timeoutMs));
      if (arrived.outcome !== 200) return undefined;
      const body = parseJson(Buffer.concat(arrived.body)).value;
      const data = at(body, 'data');
      if (Array.isArray(data) && data.some((item) => stringAt(item, 'id') === id)) return true;
      cursor = stringAt(body, 'pagination', 'nextCursor');
      if (cursor === undefined) return false;
    }
    return undefined;
  }

  return {
    prepare: async () => (await isListed()) === true,
    async attempt() {
      const path = paths.dataSource(organizationId, id);
      const { sample } = await limited.send(requestWithoutBody('deleteDataSource', principal, path, timeoutMs));
      return sample.kind === 'limited';
    },
    async verify() {
      const listed = await isListed();
      if (listed === undefined) return fact('the list of data sources could not be read again', 'unclear');
      return listed
        ? fact('a deletion that got 429 deleted nothing', 'good')
        : fact('a deletion that got 429 deleted the data source', 'bad');
    },
  };
}

function disposableOf({ organizations }: Target, { adminOf }: Principal) {
  const found = organizations.find((one) => adminOf.includes(one.id) && one.disposableDataSources.length > 0);
  const id = found?.disposableDataSources[0];
  return found === undefined || id === undefined ? undefined : { organizationId: found.id, id };
}

/** Retries after a refusal, a bounded number of times. The waits grow, because `retryAfterMs` may be wrong. */
async function sendPatiently(limited: LimitedTarget, request: LoadRequest): Promise<Arrived> {
  for (let tries = 1; ; tries += 1) {
    const { arrived, sample } = await limited.send(request);
    if (sample.kind !== 'limited' || tries === maxTries) return arrived;
    await realClock.sleep(Math.min(mostWaitMs, Math.max(sample.retryAfterMs ?? 0, 100 * 2 ** tries)));
  }
}
