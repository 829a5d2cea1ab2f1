import { z } from 'zod';
import { boundedText, dateTimeIfAny, numberIfAny, openEnumeration, textIfAny } from './primitives.ts';

/** Section 2.3. Only `id` must be there, because other promises are about it. */
export const chatSchema = z.looseObject({
  id: z.string(),
  organizationId: textIfAny,
  name: textIfAny,
  status: openEnumeration('generating').nullish(),
  source: openEnumeration('api').nullish(),
  memberId: textIfAny,
  createdAt: dateTimeIfAny,
  updatedAt: dateTimeIfAny,
});

/** Section 2.4, Message part. */
export const messagePartSchema = z.looseObject({
  id: textIfAny,
  type: openEnumeration('text').nullish(),
  content: textIfAny,
  externalId: textIfAny,
  name: textIfAny,
  phase: openEnumeration('commentary').nullish(),
  createdAt: dateTimeIfAny,
  updatedAt: dateTimeIfAny,
});

/** Section 2.4, Chart reference. */
export const chartReferenceSchema = z.looseObject({
  chartId: textIfAny,
  chartVersionId: textIfAny,
  title: textIfAny,
  imageUrl: textIfAny,
  mimeType: textIfAny,
  width: numberIfAny,
  height: numberIfAny,
});

/** Section 2.4, of the user and of the assistant. Only `id` must be there, because other promises are about it. */
export const messageSchema = z.looseObject({
  id: z.string(),
  chatId: textIfAny,
  role: openEnumeration('user').nullish(),
  status: openEnumeration('generating').nullish(),
  parentId: textIfAny,
  text: textIfAny,
  parts: z.array(messagePartSchema).nullish(),
  charts: z.array(chartReferenceSchema).nullish(),
  createdAt: dateTimeIfAny,
  updatedAt: dateTimeIfAny,
});

/** Section 4.2, the body of 200 and of 202. */
export const sendMessageAnswerSchema = z.looseObject({
  data: z.looseObject({ chat: chatSchema, userMessage: messageSchema, assistantMessage: messageSchema }),
});

/** Section 4.2, the request. */
export const sendMessageRequestSchema = z.looseObject({ message: boundedText({ min: 1, max: 10_000 }) });

export type Chat = z.infer<typeof chatSchema>;
export type MessagePart = z.infer<typeof messagePartSchema>;
export type ChartReference = z.infer<typeof chartReferenceSchema>;
export type Message = z.infer<typeof messageSchema>;
export type SendMessageAnswer = z.infer<typeof sendMessageAnswerSchema>;
export type SendMessageRequest = z.infer<typeof sendMessageRequestSchema>;
