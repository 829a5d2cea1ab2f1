import { z } from 'zod';
import {
  attachOrganizationRequestSchema,
  billingAccountAnswerSchema,
  billingAccountSchema,
} from './billing-account.ts';
import { dataSourceAnswerSchema, dataSourceListSchema, dataSourceSchema } from './data-source.ts';
import { errorBodySchema, rateLimitBodySchema } from './error.ts';
import {
  chartReferenceSchema,
  chatSchema,
  messagePartSchema,
  messageSchema,
  sendMessageAnswerSchema,
  sendMessageRequestSchema,
} from './message.ts';
import {
  columnSchema,
  expressionSchema,
  modelListSchema,
  modelSchema,
  relationshipSchema,
  warningSchema,
} from './model.ts';
import { openApiPaths } from './openapi-paths.ts';
import { paginationSchema } from './pagination.ts';

const COMPONENTS = {
  Model: modelSchema,
  Column: columnSchema,
  Expression: expressionSchema,
  Relationship: relationshipSchema,
  Warning: warningSchema,
  Pagination: paginationSchema,
  ModelList: modelListSchema,
  Chat: chatSchema,
  Message: messageSchema,
  MessagePart: messagePartSchema,
  ChartReference: chartReferenceSchema,
  SendMessageRequest: sendMessageRequestSchema,
  SendMessageAnswer: sendMessageAnswerSchema,
  AttachOrganizationRequest: attachOrganizationRequestSchema,
  BillingAccount: billingAccountSchema,
  BillingAccountAnswer: billingAccountAnswerSchema,
  DataSource: dataSourceSchema,
  DataSourceList: dataSourceListSchema,
  DataSourceAnswer: dataSourceAnswerSchema,
  Error: errorBodySchema,
  RateLimitError: rateLimitBodySchema,
} as const;

const tags = [
  { name: 'Models', description: 'Reusable SQL queries with semantic metadata.' },
  { name: 'Chats', description: 'Conversations with the AI agent.' },
  { name: 'Billing accounts', description: 'Accounts that bill one or more organizations.' },
  { name: 'Data sources', description: 'Database connections of an organization.' },
];

/**
 * The six operations as an OpenAPI 3.1 document. Each call creates a new one, which the caller may change. It is only as exact as
 * the specification: where a status is not shown, the document has a range or `default`.
 */
export function openApiDocument(): Record<string, unknown> {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Analytics Workspace Public API',
      // Section 9: the description of the API carries this version.
      version: '0.0.0',
      description:
        'Six operations of the public API of an analytics workspace, as far as its specification shows them.',
    },
    servers: [{ url: '{baseUrl}', variables: { baseUrl: { default: 'https://api.example.com' } } }],
    security: [{ apiKey: [] }],
    tags: structuredClone(tags),
    paths: openApiPaths(),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key. How keys are issued is not shown.' },
      },
      schemas: componentSchemas(),
    },
  };
}

/** The JSON Schema of every component. A component that contains another one has a reference to it. */
function componentSchemas(): Record<string, unknown> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      // OpenAPI has a default dialect, and the place in the document is the identity: neither needs a keyword.
      const { $id: _id, $schema: _schema, ...rest } = schema;
      return [id, rest];
    }),
  );
}
