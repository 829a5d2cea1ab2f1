import { z } from 'zod';

const metadataSchema = z.looseObject({
  name: z.string(),
  labels: z.record(z.string(), z.string()).default({}),
  ownerReferences: z.array(z.looseObject({ uid: z.string() })).default([]),
});

/** An object as a client sends it. */
export const clusterObjectSchema = z.looseObject({ kind: z.string(), metadata: metadataSchema });
export type ClusterObject = z.infer<typeof clusterObjectSchema>;

const texts = z.record(z.string(), z.string()).default({});

/** The data of a ConfigMap or a Secret. */
export const dataSchema = z.looseObject({ data: texts, stringData: texts });

export const serviceSchema = z.looseObject({
  spec: z.object({ selector: texts, ports: z.array(z.looseObject({ port: z.int() })) }),
});

const sourceSchema = z.object({ name: z.string(), items: z.array(z.object({ key: z.string(), path: z.string() })) });

const containerSchema = z.looseObject({
  image: z.string(),
  command: z.array(z.string()),
  env: z.array(
    z.object({
      name: z.string(),
      valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }),
    }),
  ),
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
});
export type Container = z.infer<typeof containerSchema>;

const volumeSchema = z.looseObject({
  name: z.string(),
  projected: z
    .object({ sources: z.array(z.object({ configMap: sourceSchema.optional(), secret: sourceSchema.optional() })) })
    .optional(),
});
export type Volume = z.infer<typeof volumeSchema>;

export const jobSchema = z.looseObject({
  metadata: metadataSchema,
  spec: z.looseObject({
    completions: z.int().default(1),
    template: z.object({
      metadata: z.object({ labels: texts }),
      spec: z.looseObject({ containers: z.array(containerSchema).length(1), volumes: z.array(volumeSchema) }),
    }),
  }),
});
export type Job = z.infer<typeof jobSchema>;
