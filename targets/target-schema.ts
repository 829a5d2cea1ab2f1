import { z } from 'zod';
import { sideEffects } from '../core/target.ts';

// Messages continue the name of the field: "limits.toleranceMs must be …".

const text = (error: string, maxLength = 10_000) => z.string({ error }).min(1, { error }).max(maxLength, { error });
const number = (error: string, maximum: number) => z.number({ error }).positive({ error }).max(maximum, { error });
const ids = (error: string) => z.array(text('must be an ID as text; put a number in quotes'), { error });

const headers = z.record(z.string(), z.string({ error: 'must be text; put a number in quotes' }), {
  error: 'must map header names to values, such as { X-Gateway-Key: "${GATEWAY_KEY}" }',
});

const refreshError = 'must be a number of seconds from 1 to 86400';
const keyCommand = z.strictObject({
  command: text('must be a command, such as ./print-key.sh'),
  refreshSeconds: number(refreshError, 86_400).min(1, { error: refreshError }),
});

const principal = z.strictObject(
  {
    // An empty key leaves the principal out.
    key: z.union([z.string(), keyCommand], {
      error:
        'must be the API key as text, preferably from the environment, such as "${AWC_KEY_ALICE}", or { command: ./print-key.sh, refreshSeconds: 600 }',
    }),
    adminOf: ids('must be a list of organization IDs, [] for none').optional(),
    headers: headers.optional(),
  },
  { error: 'must hold a key and adminOf, such as { key: "${AWC_KEY_ALICE}", adminOf: [org_main] }' },
);

const pemFile = (what: string) =>
  text(`must be the path of a PEM file with ${what}, relative to the target file`, 4096).optional();

const tls = z.strictObject(
  {
    ca: pemFile('the certificates of the authorities to trust'),
    cert: pemFile('the certificate of the client and its chain'),
    key: pemFile('the key of the client'),
    passphrase: text('must be the passphrase of the key, preferably from the environment', 1024).optional(),
    serverName: text('must be a host name', 253).optional(),
    insecure: z
      .literal(true, { error: 'must be true, which accepts every certificate; leave it out otherwise' })
      .optional(),
  },
  { error: 'must hold ca, cert, key, passphrase, serverName or insecure, such as { ca: ca.pem }' },
);

const organization = z.strictObject(
  {
    chats: ids('must be a list of IDs of chats that a run may write to, [] for none').optional(),
    disposableDataSources: ids('must be a list of IDs of data sources that a run may delete, [] for none').optional(),
  },
  { error: 'must hold chats and disposableDataSources, or be {}' },
);

const billingAccount = z.strictObject(
  {
    owner: text("must be the ID of the account's owner organization"),
    attachable: ids('must be a list of IDs of organizations that a run may attach, [] for none').optional(),
  },
  { error: 'must hold an owner, such as { owner: org_owner, attachable: [org_new] }' },
);

const limits = z.strictObject(
  {
    maxRequestsPerSecond: number('must be a number over 0 and at most 100000', 100_000).optional(),
    toleranceMs: number('must be a number of milliseconds over 0 and at most 60000', 60_000).optional(),
    rateProbeRequests: number('must be a whole number from 1 to 1000000', 1_000_000)
      .int({ error: 'must be a whole number from 1 to 1000000' })
      .optional(),
  },
  { error: 'must hold limits, such as { maxRequestsPerSecond: 20 }' },
);

const prompt = (kind: string) =>
  text(`must be a message of 1 to 10000 characters that the assistant answers ${kind}`).optional();

const assistant = z.strictObject(
  {
    quickPrompt: prompt('quickly'),
    slowPrompt: prompt('slowly'),
    timeoutSeconds: number('must be a number of seconds over 0 and at most 3600', 3600).optional(),
  },
  { error: 'must hold quickPrompt, slowPrompt or timeoutSeconds' },
);

const command = text('must be a command, such as ./setup.sh').optional();
const hooks = z.strictObject(
  { setup: command, teardown: command, pause: command, clock: command, failover: command, restart: command },
  { error: 'must hold setup, teardown, pause, clock, failover or restart, each a command' },
);

/** The target file, with environment references replaced and without defaults. */
export const targetFileSchema = z.strictObject(
  {
    name: text('must be a name of at most 200 characters for the deployment, such as Staging', 200),
    baseUrl: text('must be a URL, such as https://staging.example.com').optional(),
    baseUrls: z
      .array(text('must be a URL, such as https://node-1.example.com'), {
        error:
          'must be a list of the URLs of one deployment, such as [https://node-1.example.com, https://node-2.example.com]',
      })
      .optional(),
    tls: tls.optional(),
    http2: z.enum(['auto', 'never', 'always'], { error: 'must be auto, never or always' }).optional(),
    proxy: text('must be the URL of a proxy, such as http://proxy.example.com:3128, or none', 2048).optional(),
    headers: headers.optional(),
    principals: z.record(z.string(), principal, {
      error: 'must map names to keys, such as alice: { key: "${AWC_KEY_ALICE}", adminOf: [org_main] }',
    }),
    organizations: z
      .record(z.string(), organization, { error: 'must map organization IDs to what a run may use up in them' })
      .optional(),
    billingAccounts: z
      .record(z.string(), billingAccount, { error: 'must map billing account IDs to their owners' })
      .optional(),
    choices: z
      .strictObject(
        { idempotencyHeader: text('must be the name of a header, such as Idempotency-Key', 100).optional() },
        { error: 'must hold idempotencyHeader' },
      )
      .optional(),
    requestIdHeader: text('must be the name of a header of answers, such as X-Request-Id', 100).optional(),
    links: z
      .strictObject(
        {
          trace: text(
            'must be a URL with {traceId}, such as https://tracing.example.com/trace/{traceId}',
            2000,
          ).optional(),
        },
        { error: 'must hold trace, such as { trace: "https://tracing.example.com/trace/{traceId}" }' },
      )
      .optional(),
    assistant: assistant.optional(),
    limits: limits.optional(),
    allow: z
      .array(z.enum(sideEffects, { error: `must be one of ${sideEffects.join(', ')}` }), {
        error: `must be a list of ${sideEffects.join(', ')}; a run has only the side effects listed here`,
      })
      .optional(),
    hooks: hooks.optional(),
  },
  { error: 'must be a map that begins with name and baseUrl' },
);

export type TargetFile = z.infer<typeof targetFileSchema>;
