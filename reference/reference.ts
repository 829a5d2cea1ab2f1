import type { Clock } from '../harness/clock.ts';
import type { Deployment, HttpRequest } from '../harness/http.ts';
import type { Target } from '../harness/target.ts';
import type { Ask, Outcome } from './ask.ts';
import { createTarget } from './create-target.ts';
import { createWorldData } from './data/create-world-data.ts';
import { newId } from './data/ids.ts';
import { plan } from './plan.ts';
import { seededRandom } from './random.ts';
import { readAsk } from './read-ask.ts';
import { respond } from './respond.ts';
import { createState } from './state.ts';
import { BrokenAnswer, type WireResponse } from './wire-form.ts';
import { hold, type World } from './world.ts';
import { writeAnswer } from './write-answer.ts';

export type ReferenceOptions = {
  readonly clock: Clock;
  /** Everything that is random follows from it. */
  readonly seed: number;
  /** Names of faults; an unknown one throws. */
  readonly faults?: readonly string[];
  /** Axis to value; an unknown one throws. */
  readonly choices?: Readonly<Record<string, string>>;
  /** How long a request takes at least and at most, besides what it waits for; a whole number is drawn for each. */
  readonly latencyMs?: readonly [number, number];
  readonly baseUrl?: string;
};

/** The specification as a deployment of its own, and the target that describes it. */
export function createReference(options: ReferenceOptions): {
  readonly deployment: Deployment;
  readonly target: Target;
} {
  const { clock, seed } = options;
  const { rules, data } = plan(options.faults ?? [], options.choices ?? {});
  const worldData = createWorldData(seed, data);
  const [least, most] = options.latencyMs ?? [1, 5];
  const latency = seededRandom(seed, 'latency');
  const ids = seededRandom(seed, 'message ids');
  let idCount = 0;
  let turn = 0;

  const world: World = {
    rules,
    state: createState(worldData, clock.now()),
    clock,
    freshId(prefix) {
      idCount += 1;
      return newId(data.ids, prefix, 1_000_000 + idCount, ids);
    },
  };

  /** Where no answer comes, a client of limited patience waits all the same. */
  async function written(ask: Ask, outcome: Outcome): Promise<WireResponse> {
    try {
      return writeAnswer(world, ask, outcome);
    } catch (error) {
      if (error instanceof BrokenAnswer && error.how === 'hang' && Number.isFinite(ask.timeoutMs)) {
        await hold(world, ask, ask.timeoutMs);
      }
      throw error;
    }
  }

  async function deployment(request: HttpRequest): Promise<WireResponse> {
    turn += 1;
    const ordinal = turn;
    const takesMs = most > 0 ? latency.integer(least, most) : 0;
    const sentAt = clock.now();
    const travelMs = Math.ceil(takesMs / 2);
    if (travelMs > 0) await clock.sleep(travelMs);
    const ask = readAsk(request, ordinal, sentAt, (id) => rules.pathId(id));
    const { asked, outcome } = await respond(world, ask);
    const answer = await written(asked, outcome);
    if (takesMs > travelMs) await hold(world, ask, takesMs - travelMs);
    return answer;
  }

  const baseUrl = options.baseUrl ?? 'http://reference.invalid';
  return { deployment, target: createTarget(worldData, baseUrl, rules.keyHeader()) };
}
