import type { z } from 'zod';
import type { Api } from '../../engine/api.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { at } from '../../core/json.ts';
import { givenLists } from '../../stage/lists/lists.ts';
import type { ListOperation } from '../../core/page.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { billingAccountSchema } from '../../schemas/billing-account.ts';
import { dataSourceSchema } from '../../schemas/data-source.ts';
import { chartReferenceSchema, chatSchema, messagePartSchema, messageSchema } from '../../schemas/message.ts';
import { modelSchema } from '../../schemas/model.ts';
import type { Operation } from '../../spec/requirement.ts';

export type SeenRecord = { readonly record: unknown; readonly answer: Answer };

/** Every examined record of one resource. */
export type SeenKind = {
  readonly kind: 'model' | 'data source' | 'billing account' | 'chat' | 'message' | 'part' | 'chart';
  readonly fields: Readonly<Record<string, z.ZodType>>;
  readonly schema: z.ZodType;
  readonly records: readonly SeenRecord[];
};

/** Parts and charts that are looked at in one message. */
const maxParts = 50;

/** The records of section 2, from the lists that were walked and from the sampled answers of the other operations. */
export async function seenRecords(api: Api): Promise<readonly SeenKind[]> {
  const conversations = successes(api, 'sendMessage');
  const inside = (field: string): SeenRecord[] => within(conversations, 'data', field);
  const messages = [...inside('userMessage'), ...inside('assistantMessage')];
  return [
    kindOf('model', modelSchema, await listed(api, 'listModels')),
    kindOf('data source', dataSourceSchema, [
      ...(await listed(api, 'listDataSources')),
      ...within(successes(api, 'deleteDataSource'), 'data'),
    ]),
    kindOf('billing account', billingAccountSchema, within(successes(api, 'getBillingAccount'), 'data')),
    kindOf('chat', chatSchema, inside('chat')),
    kindOf('message', messageSchema, messages),
    kindOf('part', messagePartSchema, itemsOf(messages, 'parts')),
    kindOf('chart', chartReferenceSchema, itemsOf(messages, 'charts')),
  ];
}

function kindOf(kind: SeenKind['kind'], schema: z.ZodObject, records: readonly SeenRecord[]): SeenKind {
  const fields: Readonly<Record<string, z.ZodType>> = schema.shape;
  const objects = records.filter(({ record }) => typeof record === 'object' && record !== null);
  return { kind, schema, fields, records: objects };
}

async function listed(api: Api, list: ListOperation): Promise<readonly SeenRecord[]> {
  const lists = (await unlessBlocked(() => givenLists(api, list))) ?? [];
  const pages = lists.flatMap(({ walk }) => walk.pages);
  return pages.flatMap(({ answer, items }) => items.map(({ record }) => ({ record, answer })));
}

function successes(api: Api, operation: Operation): readonly Answer[] {
  return api.session.sampled().filter((answer) => answer.exchange.operation === operation && isSuccess(answer));
}

function within(answers: readonly Answer[], ...path: readonly string[]): SeenRecord[] {
  return answers.map((answer) => ({ record: at(answer.json, ...path), answer }));
}

function itemsOf(records: readonly SeenRecord[], field: string): readonly SeenRecord[] {
  return records.flatMap(({ record, answer }) => {
    const items = at(record, field);
    return Array.isArray(items) ? items.slice(0, maxParts).map((item: unknown) => ({ record: item, answer })) : [];
  });
}
