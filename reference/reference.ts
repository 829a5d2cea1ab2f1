import type { Clock } from '../harness/clock.ts';
import type { Deployment, HttpRequest } from '../harness/http.ts';
import type { Target } from '../harness/target.ts';
import { createTarget } from './create-target.ts';
import { createWorldData } from './data/create-world-data.ts';
import { newId } from './data/ids.ts';
import { plan } from './plan.ts';
import { seededRandom } from './random.ts';
import { readAsk } from './read-ask.ts';
import { respond } from './respond.ts';
import { createState } from './state.ts';
import type { WireResponse } from './wire-form.ts';
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

  async function deployment(request: HttpRequest): Promise<WireResponse> {
    turn += 1;
    const ordinal = turn;
    const takesMs = most > 0 ? latency.integer(least, most) : 0;
    const sentAt = clock.now();
    const travelMs = Math.ceil(takesMs / 2);
    if (travelMs > 0) await clock.sleep(travelMs);
    const ask = readAsk(request, ordinal, sentAt, (id) => rules.pathId(id));
    const answer = writeAnswer(world, ask, await respond(world, ask));
    if (takesMs > travelMs) await hold(world, ask, takesMs - travelMs);
    return answer;
  }

  const baseUrl = options.baseUrl ?? 'http://reference.invalid';
  return { deployment, target: createTarget(worldData, baseUrl, rules.keyHeader()) };
}
