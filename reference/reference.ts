import type { Clock } from '../core/clock.ts';
import { type Deployment, type HttpRequest, TransportError } from '../core/http.ts';
import type { Outages } from '../core/outages.ts';
import { sideEffects, type Target } from '../core/target.ts';
import type { Request, Outcome } from './http/request.ts';
import { createWorldData } from './data/create-world-data.ts';
import { newId } from './data/ids.ts';
import { createOutages } from './outages.ts';
import type { WorldData } from './data/world-data.ts';
import { type Journal, memoryJournal } from './state/journal.ts';
import { plan } from './plan.ts';
import { prompts } from './prompts.ts';
import { seededRandom } from './random.ts';
import { readRequest } from './http/read-request.ts';
import { respond } from './http/respond.ts';
import { restoreState } from './state/apply-entry.ts';
import type { Rules } from './rules/rules.ts';
import { BrokenAnswer, gatewayAnswer, type WireResponse } from './http/wire-form.ts';
import { createWorkers } from './workers.ts';
import { hold, type World } from './world.ts';
import { writeAnswer } from './http/write-answer.ts';

export type ReferenceOptions = {
  readonly clock: Clock;
  /** All random values follow from it. */
  readonly seed: number;
  /** Names of faults. An unknown name throws. */
  readonly faults?: readonly string[];
  /** Values by axis. An unknown axis or value throws. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Least and most milliseconds that a request takes, in addition to what it waits for; a whole number is drawn for each. */
  readonly latencyMs?: readonly [number, number];
  readonly baseUrl?: string;
  /** Where it keeps what has to last, and what it starts with; by default the memory of this process. */
  readonly journal?: Journal;
  /** Data and known behaviour of another deployment, for which it stands in. */
  readonly like?: { readonly data: WorldData; readonly rules: Partial<Rules> };
};

/** The specification as a deployment, and the target that describes it. */
export function createReference(options: ReferenceOptions): {
  readonly deployment: Deployment;
  readonly target: Target;
  readonly outages: Required<Outages>;
} {
  const { clock, seed, journal = memoryJournal(options.clock.now()) } = options;
  const { rules: planned, hooks, data } = plan(options.faults ?? [], options.choices ?? {});
  const rules = { ...planned, ...options.like?.rules };
  const worldData = options.like?.data ?? createWorldData(seed, data);
  const [least, most] = options.latencyMs ?? [1, 5];
  const latency = seededRandom(seed, 'latency');
  // A deployment that starts from a journal must not use an ID again.
  const ids = seededRandom(seed + journal.entries().length, 'message ids');
  const baseUrls = entryPoints(options.baseUrl ?? 'http://reference.invalid', rules.entryPoints());
  const workers = createWorkers(clock, rules.workers());
  let idCount = 0;
  let turn = 0;

  const { outages, isUp, shown, throughPause } = createOutages({
    clock,
    rules,
    hooks,
    running: () => world,
    takeOver: (kind) => {
      world = { ...parts, state: restoreState(worldData, parts, kind) };
    },
  });
  const parts: Omit<World, 'state'> = {
    rules,
    hooks,
    journal,
    clock,
    timestamp: (ms) => rules.timestamp(shown(ms)),
    freshId(prefix) {
      idCount += 1;
      return newId(data.ids, prefix, 1_000_000 + idCount, ids);
    },
  };
  let world: World = { ...parts, state: restoreState(worldData, parts) };

  const nodeOf = ({ baseUrl }: HttpRequest): number => Math.max(0, baseUrls.indexOf(baseUrl ?? ''));

  async function deployment(sent: HttpRequest): Promise<WireResponse> {
    turn += 1;
    const ordinal = turn;
    const takesMs = most > 0 ? latency.integer(least, most) : 0;
    const sentAt = clock.now();
    const travelMs = Math.ceil(takesMs / 2);
    if (travelMs > 0) await clock.sleep(travelMs);
    const running = world;
    if (!isUp()) throw new TransportError('refused', 'it is being restarted');
    const request = hooks.received(readRequest(sent, ordinal, nodeOf(sent), sentAt));
    const gateway = rules.gatewayStatus(request);
    if (gateway !== undefined) {
      if (rules.gatewayPassesOn(request)) await respond(running, request);
      if (gateway === 'reset') throw new BrokenAnswer('reset', gatewayAnswer(502));
      return gatewayAnswer(gateway);
    }
    const answer = await throughPause(request, async () => {
      await hold(running, request, rules.paceMs(request));
      return workers(request, () => worked(running, request));
    });
    if (takesMs > travelMs) await hold(running, request, takesMs - travelMs);
    if (running !== world) throw new TransportError('reset', 'it was restarted before it answered');
    return answer;
  }

  return { deployment, target: createTarget(worldData, baseUrls, rules.keyHeader()), outages };
}

async function worked(running: World, request: Request): Promise<WireResponse> {
  const { asked, outcome } = await respond(running, request);
  return written(running, asked, outcome);
}

/** Where no answer comes, a client waits until its time-out. */
async function written(running: World, request: Request, outcome: Outcome): Promise<WireResponse> {
  try {
    return writeAnswer(running, request, outcome);
  } catch (error) {
    if (error instanceof BrokenAnswer && error.how === 'hang' && Number.isFinite(request.timeoutMs)) {
      await hold(running, request, request.timeoutMs);
    }
    throw error;
  }
}

/** The base URLs of the nodes. */
function entryPoints(first: string, count: number): readonly string[] {
  return [first, ...Array.from({ length: count - 1 }, (_, other) => `http://reference-${other + 2}.invalid`)];
}

/** The target of a world: everything that its callers may know. */
function createTarget(data: WorldData, baseUrls: readonly string[], idempotencyHeader: string): Target {
  return {
    name: 'Embedded reference',
    baseUrl: baseUrls[0] ?? '',
    ...(baseUrls.length > 1 ? { baseUrls } : {}),
    principals: data.callers.map(({ name, key, adminOf }) => ({
      name,
      key,
      variable: `$AWC_KEY_${name.toUpperCase()}`,
      adminOf: [...adminOf],
    })),
    organizations: [...data.organizations.values()].map(({ id, chats, disposable }) => ({
      id,
      chats,
      disposableDataSources: disposable,
    })),
    billingAccounts: [...data.accounts.values()].map(({ id, owner, attachable }) => ({ id, owner, attachable })),
    idempotencyHeader,
    assistant: { quickPrompt: prompts.quick, slowPrompt: prompts.slow, timeoutSeconds: 120 },
    limits: { maxRequestsPerSecond: Number.POSITIVE_INFINITY, toleranceMs: 750, rateProbeRequests: 2000 },
    allow: new Set(sideEffects),
  };
}
