import { z } from 'zod';

/** When to use HTTP/2. */
export const http2Modes = ['auto', 'never', 'always'] as const;
const pairs = z.record(z.string(), z.string()).optional();

/** Flags of `awc init` that answer its questions, by the names that commander gives them. */
export const givenSchema = z.object({
  baseUrl: z.string().optional(),
  name: z.string().optional(),
  principal: pairs,
  header: pairs,
  tlsCa: z.string().optional(),
  tlsCert: z.string().optional(),
  tlsKey: z.string().optional(),
  http2: z.enum(http2Modes).optional(),
  proxy: z.string().optional(),
  adminOf: pairs,
  chats: pairs,
  disposable: pairs,
  billingAccount: pairs,
  attachable: pairs,
  idempotencyHeader: z.string().optional(),
  allow: z.string().optional(),
});
/** The answers in the flags. */
export type Given = z.infer<typeof givenSchema>;

/** The other flags of `awc init`. */
export const gapsSchema = z.object({
  force: z.boolean().default(false),
  acceptGaps: z.string().optional(),
  owner: z.string().trim().min(1).max(200).optional(),
  expires: z.iso.date().optional(),
});
export type GapOptions = Pick<z.infer<typeof gapsSchema>, 'owner' | 'expires'>;
