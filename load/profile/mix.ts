import { z } from 'zod';
import type { ListOperation } from '../../core/page.ts';
import type { SideEffect, Target } from '../../core/target.ts';
import type { Operation } from '../../spec/requirement.ts';
import { count } from './fields.ts';

/** Operations that use up what the target file declares: nothing is attached or deleted twice. */
export const onceOperations = ['attachOrganization', 'deleteDataSource'] as const satisfies readonly Operation[];

export type OnceOperation = (typeof onceOperations)[number];

/** Operations that can be repeated without using anything up. */
export const repeatableOperations = [
  'listModels',
  'listDataSources',
  'getBillingAccount',
  'sendMessage',
] as const satisfies readonly Operation[];

/** The operations that a mix can hold. */
export const loadOperations = [...repeatableOperations, ...onceOperations] as const;

export type LoadOperation = (typeof loadOperations)[number];

/** One operation of the mix. Weights are relative to each other. */
export type MixEntry =
  | {
      readonly operation: ListOperation;
      readonly weight: number;
      /** Each is drawn equally often; without any, no limit is sent. */
      readonly limits: readonly number[];
      /** How many pages are read, from the first one on. */
      readonly pages: number;
      /** Whether models are also read by data source. It is true for data sources too, because digests of profiles contain it. */
      readonly filters: boolean;
    }
  | { readonly operation: 'getBillingAccount'; readonly weight: number }
  | {
      readonly operation: 'sendMessage';
      readonly weight: number;
      readonly waitSeconds: number | undefined;
      readonly prompt: 'quick' | 'slow';
      /** Whether it is left out where the target file does not allow messages. */
      readonly ifAllowed: boolean;
    }
  | {
      readonly operation: OnceOperation;
      readonly weight: number;
      /** How many of the declared organizations or data sources are used up. */
      readonly most: number;
      readonly ifAllowed: boolean;
    };

/** What the target file must allow for an operation. */
export const effectOf: Readonly<Partial<Record<LoadOperation, SideEffect>>> = {
  sendMessage: 'messages',
  attachOrganization: 'attachments',
  deleteDataSource: 'deletions',
};

const usualPages = 3;
const usualMost = 1;

const weightError = 'must be a number from 0 to 1000';
const weight = z.number({ error: weightError }).min(0, { error: weightError }).max(1000, { error: weightError }).meta({
  allowed: 'a number from 0 to 1000',
  description: 'How often it is drawn, relative to the other operations.',
});

const list = z.strictObject(
  {
    weight,
    limits: z
      .array(count('must be a whole number from 1 to 100', 100), {
        error: 'must be a list of limits, such as [10, 50]',
      })
      .min(1, { error: 'must hold at least one limit' })
      .meta({
        allowed: 'a list of limits from 1 to 100, such as [10, 50]',
        description: 'The values of `limit`, each drawn equally often. Without this field, no `limit` is sent.',
      })
      .optional(),
    pages: count('must be a whole number of pages from 1 to 20', 20)
      .describe('How many pages are read, starting with the first; 3 by default.')
      .optional(),
  },
  { error: 'must hold a weight, such as { weight: 3, limits: [10, 50, 100] }' },
);

const models = list.extend({
  filters: z
    .boolean({ error: 'must be true or false: whether models are also read by data source' })
    .describe('Whether models are also read by data source; true by default.')
    .optional(),
});

function ifAllowed(effect: SideEffect) {
  return z
    .boolean({
      error: `must be true or false: whether the load leaves it out if the target file does not allow ${effect}`,
    })
    .describe(
      `Whether the load leaves this operation out if the target file does not allow ${effect}; false by default.`,
    )
    .optional();
}

function once(effect: SideEffect, declared: string) {
  return z.strictObject(
    {
      weight,
      most: count('must be a whole number from 1 to 100', 100)
        .describe(`How many of ${declared} of the target file a run uses up; 1 by default.`)
        .optional(),
      ifAllowed: ifAllowed(effect),
    },
    { error: 'must hold a weight, such as { weight: 1, most: 2 }' },
  );
}

const message = z.strictObject(
  {
    weight,
    wait: count('must be a whole number of seconds from 1 to 300', 300)
      .describe('The `wait` of a message. Without this field, no `wait` is sent.')
      .optional(),
    prompt: z
      .enum(['quick', 'slow'], { error: 'must be quick or slow' })
      .describe('Which prompt of the target file is sent; quick by default.')
      .optional(),
    ifAllowed: ifAllowed('messages'),
  },
  { error: 'must hold a weight, such as { weight: 1, wait: 30 }' },
);

export const mixSchema = z.strictObject(
  {
    listModels: models.optional(),
    listDataSources: list.optional(),
    getBillingAccount: z.strictObject({ weight }, { error: 'must hold a weight, such as { weight: 1 }' }).optional(),
    sendMessage: message.optional(),
    attachOrganization: once('attachments', 'the attachable organizations').optional(),
    deleteDataSource: once('deletions', 'the disposable data sources').optional(),
  },
  { error: 'must map operations to weights, such as listModels: { weight: 3 }' },
);

/** Whether an entry is only for targets that allow it, and this one does not. */
export function isForbidden(entry: MixEntry, allow: Target['allow']): boolean {
  const effect = effectOf[entry.operation];
  return 'ifAllowed' in entry && entry.ifAllowed && effect !== undefined && !allow.has(effect);
}

export function isOnceEntry(entry: MixEntry): entry is Extract<MixEntry, { operation: OnceOperation }> {
  return onceOperations.some((operation) => operation === entry.operation);
}

/** In a fixed order, so that the order in a file does not change what is drawn. */
export function resolveMix(mix: z.infer<typeof mixSchema> = {}): readonly MixEntry[] {
  const { listModels, listDataSources, getBillingAccount: account, sendMessage } = mix;
  const used = onceOperations.map((operation) => {
    const { weight: own = 0, most = usualMost, ifAllowed: only = false } = mix[operation] ?? {};
    return { operation, weight: own, most, ifAllowed: only };
  });
  const entries: readonly (MixEntry | undefined)[] = [
    listModels && listEntry('listModels', listModels),
    listDataSources && listEntry('listDataSources', listDataSources),
    account && { operation: 'getBillingAccount', weight: account.weight },
    sendMessage && {
      operation: 'sendMessage',
      weight: sendMessage.weight,
      waitSeconds: sendMessage.wait,
      prompt: sendMessage.prompt ?? 'quick',
      ifAllowed: sendMessage.ifAllowed ?? false,
    },
    ...used,
  ];
  return entries.filter((entry) => entry !== undefined).filter((entry) => entry.weight > 0);
}

function listEntry(operation: ListOperation, written: z.infer<typeof models>): MixEntry {
  const { weight: own, limits = [], pages = usualPages, filters = true } = written;
  return { operation, weight: own, limits, pages, filters };
}
