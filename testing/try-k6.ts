/** Runs scripts for k6 without it, on an engine that notes what it is asked to send. */
import { z } from 'zod';

const stageSchema = z.strictObject({ target: z.int(), duration: z.string().regex(/^\d+ms$/) });

const scriptSchema = z.object({
  default: z.custom<() => void>((value) => typeof value === 'function'),
  options: z.strictObject({
    discardResponseBodies: z.boolean(),
    scenarios: z.strictObject({
      load: z.strictObject({
        executor: z.literal('ramping-arrival-rate'),
        startRate: z.int(),
        timeUnit: z.enum(['1s', '1m']),
        stages: z.array(stageSchema).min(1),
        preAllocatedVUs: z.int().positive(),
        maxVUs: z.int().positive(),
        gracefulStop: z.string(),
      }),
    }),
    thresholds: z.record(z.string(), z.array(z.string())),
  }),
});

const sentSchema = z.array(
  z.tuple([
    z.string(),
    z.string(),
    z.string().optional(),
    z.object({
      headers: z.record(z.string(), z.string()),
      timeout: z.string(),
      tags: z.record(z.string(), z.string()),
      responseType: z.enum(['none', 'text']),
    }),
  ]),
);

const engineSchema = z.object({
  sent: z.custom<readonly unknown[]>(Array.isArray),
  slept: z.custom<readonly number[]>(Array.isArray),
  added: z.custom<readonly (readonly [string, number | boolean])[]>(Array.isArray),
  begin: z.custom<(iteration: number, replies: readonly unknown[]) => void>((value) => typeof value === 'function'),
});

/** An answer; with `responseType: 'none'` the script does not see its body. */
export type K6Reply = { readonly status: number; readonly body?: unknown };

const engineSource = `
  export const sent = [], slept = [], added = [];
  let now = 0, replies = [];
  export function begin(iteration, next) { scenario.iterationInTest = iteration; replies = [...next]; }
  export const check = () => true;
  export function sleep(seconds) { slept.push(seconds); now += seconds * 1000; }
  const scenario = { iterationInTest: 0, startTime: 0 };
  class Metric {
    constructor(name) { this.name = name; }
    add(value) { added.push([this.name, value]); }
  }
  export { Metric as Counter, Metric as Rate, Metric as Trend };
  export function SharedArray(name, make) { return make(); }
  export const Date = { now: () => now };
  export default {
    scenario,
    vu: { idInTest: 1 },
    expectedStatuses: (...expected) => expected,
    request(...request) {
      sent.push(request);
      const { status, body } = replies.shift() || { status: 200 };
      const isRead = request[3].responseType === 'text';
      return { status, headers: {}, body: isRead ? JSON.stringify(body) : null, error_code: status === 0 ? 1050 : 0 };
    },
  };`;

function moduleOf(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

/** Loads a script as k6 would. `user` runs one iteration; the first replies are for its requests, all others are 200. */
export async function loadK6Script(script: string) {
  const engine = moduleOf(`// ${crypto.randomUUID()}\n${engineSource}`);
  const globals = `import { Date } from 'k6'; const __ENV = { KEY_A: 'a', KEY_B: 'b' };\n`;
  const loaded: unknown = await import(moduleOf((globals + script).replaceAll(/'k6(\/[a-z]+)?'/g, `"${engine}"`)));
  const { options, default: user } = scriptSchema.parse(loaded);
  const { sent, slept, added, begin } = engineSchema.parse(await import(engine));
  return {
    options,
    user(iteration = 0, replies: readonly K6Reply[] = []): void {
      begin(iteration, replies);
      user();
    },
    sent: () => sentSchema.parse(sent),
    slept,
    added,
  };
}
