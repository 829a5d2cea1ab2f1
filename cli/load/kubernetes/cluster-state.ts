import { z } from 'zod';

const text = z.string().default('');

const labels = z.record(z.string(), z.string()).default({});
const conditions = z.array(z.object({ type: z.string(), status: z.string(), reason: text, message: text })).default([]);

/** The fields of pods, Jobs and events that are read. Everything else is ignored. */
const podSchema = z.object({
  kind: z.literal('Pod'),
  metadata: z.object({ name: z.string(), labels, annotations: labels }),
  status: z
    .object({
      phase: text,
      reason: text,
      message: text,
      conditions,
      containerStatuses: z
        .array(
          z.object({
            state: z
              .object({
                waiting: z.object({ reason: text, message: text }).optional(),
                running: z.object({}).optional(),
                terminated: z.object({ exitCode: z.int(), reason: text, message: text }).optional(),
              })
              .default({}),
          }),
        )
        .default([]),
    })
    .prefault({}),
});
export type Pod = z.infer<typeof podSchema>;

const jobSchema = z.object({
  kind: z.literal('Job'),
  metadata: z.object({ name: z.string(), labels }),
  status: z.object({ conditions }).prefault({}),
});
export type Job = z.infer<typeof jobSchema>;

const eventSchema = z.object({ involvedObject: z.object({ name: text }), reason: text, message: text });
export type Warning = z.infer<typeof eventSchema>;

/** What the cluster says about a run. */
export type ClusterState = {
  readonly jobs: readonly Job[];
  readonly pods: readonly Pod[];
  readonly warnings: readonly Warning[];
};

const listSchema = z.object({ items: z.array(z.unknown()) });

/** The Jobs and pods in the output of `kubectl get -o json`. Throws if it is something else. */
export function workIn(json: string): Pick<ClusterState, 'jobs' | 'pods'> {
  const { items } = listSchema.parse(JSON.parse(json));
  return {
    jobs: items.flatMap((item) => jobSchema.safeParse(item).data ?? []),
    pods: items.flatMap((item) => podSchema.safeParse(item).data ?? []),
  };
}

/** The events about the objects of a run. */
export function warningsIn(json: string, run: string): readonly Warning[] {
  const { items } = listSchema.parse(JSON.parse(json));
  return items
    .flatMap((item) => eventSchema.safeParse(item).data ?? [])
    .filter(({ involvedObject }) => involvedObject.name.startsWith(`${run}-`));
}
