import { expect, test } from 'vitest';
import { billingAccountAnswerSchema } from './billing-account.ts';
import { dataSourceSchema } from './data-source.ts';
import { dateTimes } from './date-times.ts';
import { sendMessageAnswerSchema } from './message.ts';
import { modelListSchema } from './model.ts';
import { sampleBodies } from './sample-bodies.ts';

const paths = (...[schema, body]: Parameters<typeof dateTimes>) => dateTimes(schema, body).map(([path]) => path);

test('the date-times of models, with null, absent and undeclared ones left out', () => {
  const data = [
    { ...sampleBodies.model(), deletedAt: 'x' },
    { createdAt: 'y', verifiedAt: null, updatedAt: 5 },
  ];
  expect(dateTimes(modelListSchema, { data })).toEqual([
    ['data[0].createdAt', '2026-03-04T05:06:07.089Z'],
    ['data[0].updatedAt', '2026-03-04T05:06:07.089Z'],
    ['data[0].verifiedAt', '2026-03-04T05:06:07.089Z'],
    ['data[1].createdAt', 'y'],
  ]);
});

test('those of chats, messages and parts', () => {
  const data = { chat: sampleBodies.chat(), userMessage: sampleBodies.message() };
  expect(paths(sendMessageAnswerSchema, { data })).toEqual([
    'data.chat.createdAt',
    'data.chat.updatedAt',
    'data.userMessage.parts[0].createdAt',
    'data.userMessage.parts[0].updatedAt',
    'data.userMessage.createdAt',
    'data.userMessage.updatedAt',
  ]);
});

test('those of a data source are its fields named At; a billing account has none', () => {
  const dataSource = sampleBodies.dataSource();
  expect(paths(dataSourceSchema, dataSource)).toEqual(Object.keys(dataSource).filter((key) => key.endsWith('At')));
  expect(paths(billingAccountAnswerSchema, { data: sampleBodies.billingAccount() })).toEqual([]);
});
