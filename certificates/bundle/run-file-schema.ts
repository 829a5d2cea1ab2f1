import { z } from 'zod';
import { maxSecretLength, maxSecretsLength, sideEffects } from '../../core/target.ts';

/** The most entries of any list; no target file has more. */
const maxNamed = 2000;

/** The longest challenge, in characters. */
export const maxChallenge = 200;

const text = z.string().max(10_000);

/** The place of a secret in a recording. Short, because an exchange can hold a secret many times. */
const variable = z.string().max(100);

const standIn = z.string().min(1).max(maxSecretLength);

const headers = z.record(text, text).optional();

const namesSchema = z.array(text).max(maxNamed);

const targetSchema = z.strictObject({
  name: text,
  baseUrl: text,
  baseUrls: namesSchema.optional(),
  principals: z
    .array(
      z.strictObject({
        name: text,
        variable,
        standIn,
        adminOf: namesSchema,
        headers,
      }),
    )
    .max(maxNamed),
  /** Beside the keys. */
  secrets: z.array(z.strictObject({ variable, standIn })).max(maxNamed).optional(),
  organizations: z
    .array(z.strictObject({ id: text, chats: namesSchema, disposableDataSources: namesSchema }))
    .max(maxNamed),
  billingAccounts: z.array(z.strictObject({ id: text, owner: text, attachable: namesSchema })).max(maxNamed),
  idempotencyHeader: text.optional(),
  assistant: z.strictObject({
    quickPrompt: text,
    slowPrompt: text,
    timeoutSeconds: z.number().min(0),
  }),
  limits: z.strictObject({
    /** Null if there is no limit. */
    maxRequestsPerSecond: z.number().positive().nullable(),
    toleranceMs: z.number().min(0),
    rateProbeRequests: z.number().min(0),
  }),
  allow: z.array(z.enum(sideEffects)),
});

/** A server that was certified, as one TLS connection showed it. The signer claims this: a recording does not show it. */
const serverSchema = z.strictObject({
  baseUrl: text,
  /** Such as `TLSv1.3`. */
  tls: z.string().max(40),
  /** What it chose of HTTP/2 and HTTP/1.1. */
  http: z.string().max(40).optional(),
  chain: z
    .array(
      z.strictObject({
        subject: text,
        issuer: text,
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(8),
});

export const runFileSchema = z.strictObject({
  format: z.literal('awc-run/1'),
  suite: z.strictObject({ name: text, version: text }),
  /** Bundles that were sealed before the first erratum do not say how many errata they knew. */
  revision: z.strictObject({ number: z.int().min(1), digest: text, errata: z.int().min(1).optional() }),
  seed: z.int().min(0),
  /** The text of the certifier that the seed follows from. */
  challenge: z.string().min(1).max(maxChallenge).optional(),
  /** One for each base URL that is secured by TLS. */
  servers: z.array(serverSchema).max(20).optional(),
  startedAt: z.iso.datetime(),
  /** Whether the run judged the embedded reference instead of a deployment. */
  embedded: z.boolean(),
  notes: namesSchema,
  target: targetSchema.refine(({ principals, secrets = [] }) => {
    const lengths = [...principals, ...secrets].map((secret) => secret.standIn.length);
    return lengths.reduce((sum, length) => sum + length, 0) <= maxSecretsLength;
  }),
});

/** The premises of a run: everything that is needed to judge it again, except for the answers. */
export type RunFile = z.infer<typeof runFileSchema>;
