import { routes } from '../spec/routes.ts';

type Json = Readonly<Record<string, unknown>>;

const LIMIT = query('limit', { type: 'integer', minimum: 1, maximum: 100, default: 50 }, 'The most items on the page.');
const CURSOR = query('cursor', { type: 'string' }, 'The ID of the last item of the previous page.');
const WAIT = query(
  'wait',
  { type: 'integer', minimum: 1, maximum: 300 },
  'Seconds to hold the request open while the assistant responds. Without it, the request returns immediately.',
);
const DATABASE_CONNECTION_ID = query('databaseConnectionId', { type: 'string' }, 'Only models of this data source.');
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 255 },
  description:
    'Repeating a request with the same key returns the original result instead of creating a duplicate. The name of ' +
    "this header is not shown in the specification: it is the deployment's choice, and this one stands for it.",
};

const ORGANIZATION = path('orgId', 'The organization.');
const CHAT = path('chatId', 'The chat.');
const BILLING_ACCOUNT = path('billingAccountId', 'The billing account.');
const DATA_SOURCE = path('id', 'The data source.');

const UNAUTHORIZED = { '401': answer('Missing or invalid API key.', 'Error') };
const RATE_LIMITED = { '429': answer('Rate limit exceeded.', 'RateLimitError') };
const OTHERWISE = { default: answer('Any other error; its status is not shown.', 'Error') };
const COMMON_ERRORS = { ...UNAUTHORIZED, ...RATE_LIMITED, ...OTHERWISE };

/** Section 4, the path items of the six operations. */
export function openApiPaths(): Json {
  return structuredClone({
    [routes.listModels.path]: { get: LIST_MODELS },
    [routes.sendMessage.path]: { post: SEND_MESSAGE },
    [routes.attachOrganization.path]: { post: ATTACH_ORGANIZATION },
    [routes.getBillingAccount.path]: { get: GET_BILLING_ACCOUNT },
    [routes.listDataSources.path]: { get: LIST_DATA_SOURCES },
    [routes.deleteDataSource.path]: { delete: DELETE_DATA_SOURCE },
  });
}

const LIST_MODELS = {
  operationId: 'listModels',
  tags: ['Models'],
  summary: 'List models',
  description: 'Newest first. Needs admin access to the organization.',
  parameters: [ORGANIZATION, LIMIT, CURSOR, DATABASE_CONNECTION_ID],
  responses: {
    '200': answer('One page of models.', 'ModelList'),
    ...COMMON_ERRORS,
    '404': answer('Organization, data source, or admin access not found.', 'Error'),
    '500': answer('Internal error.', 'Error'),
  },
};

const SEND_MESSAGE = {
  operationId: 'sendMessage',
  tags: ['Chats'],
  summary: 'Send a follow-up message',
  parameters: [ORGANIZATION, CHAT, WAIT, IDEMPOTENCY_KEY],
  requestBody: body('SendMessageRequest'),
  responses: {
    '200': answer('The assistant finished.', 'SendMessageAnswer'),
    '202': answer('The assistant is still responding.', 'SendMessageAnswer'),
    ...COMMON_ERRORS,
    '409': answer('A response is already generating in this chat.', 'Error'),
  },
};

const ATTACH_ORGANIZATION = {
  operationId: 'attachOrganization',
  tags: ['Billing accounts'],
  summary: 'Attach an organization',
  description: "Needs admin access to both the organization and the billing account's owner organization.",
  parameters: [BILLING_ACCOUNT],
  requestBody: body('AttachOrganizationRequest'),
  responses: {
    '2XX': { description: 'The organization is billed through the account. Status and body are not shown.' },
    ...COMMON_ERRORS,
  },
};

const GET_BILLING_ACCOUNT = {
  operationId: 'getBillingAccount',
  tags: ['Billing accounts'],
  summary: 'Get a billing account',
  description: "Needs admin access to the account's owner organization.",
  parameters: [BILLING_ACCOUNT],
  responses: { '2XX': answer('The billing account.', 'BillingAccountAnswer'), ...COMMON_ERRORS },
};

const LIST_DATA_SOURCES = {
  operationId: 'listDataSources',
  tags: ['Data sources'],
  summary: 'List data sources',
  description: 'Newest first. Needs admin access to the organization.',
  parameters: [ORGANIZATION, LIMIT, CURSOR],
  responses: { '2XX': answer('One page of data sources.', 'DataSourceList'), ...COMMON_ERRORS },
};

const DELETE_DATA_SOURCE = {
  operationId: 'deleteDataSource',
  tags: ['Data sources'],
  summary: 'Delete a data source',
  description: 'Marks it deleted; a cleanup job removes related entities. Needs admin access to the organization.',
  parameters: [ORGANIZATION, DATA_SOURCE],
  responses: { '2XX': answer('The deleted data source.', 'DataSourceAnswer'), ...COMMON_ERRORS },
};

function query(name: string, schema: Json, description: string): Json {
  return { name, in: 'query', required: false, schema, description };
}

function path(name: string, description: string): Json {
  return { name, in: 'path', required: true, schema: { type: 'string' }, description };
}

function body(component: string): Json {
  return { required: true, content: jsonContent(component) };
}

function answer(description: string, component: string): Json {
  return { description, content: jsonContent(component) };
}

function jsonContent(component: string): Json {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${component}` } } };
}
