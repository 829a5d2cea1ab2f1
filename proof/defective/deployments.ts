import type { Deployment, HttpRequest, HttpResponse } from '../../core/http.ts';
import { routeOf } from '../../core/route.ts';
import type { Target } from '../../core/target.ts';
import type { Operation } from '../../spec/requirement.ts';
import { thinTargets } from '../thin-targets.ts';
import type { Trial, TrialOptions } from '../trial.ts';

/** The reference in some way, or behind something that changes its answers, and what the target file declares of it. */
export type Defective = Partial<Trial> & Pick<TrialOptions, 'part' | 'through'>;

/** What stands between the suite and the deployment: `answer` gives the answer to a request, the `count`-th of its operation. */
type Answering = (request: HttpRequest, usual: () => Promise<HttpResponse>, count: number) => Promise<HttpResponse>;

function through(operation: Operation, answer: Answering): Defective {
  return {
    through: (deployment: Deployment): Deployment => {
      let count = 0;
      return (request) => {
        if (routeOf(request.method, request.path)?.operation !== operation) return deployment(request);
        count += 1;
        return answer(request, () => deployment(request), count);
      };
    },
  };
}

function inJson(status: number, value: unknown): HttpResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) };
}

const refused = (status: number): HttpResponse =>
  inJson(status, { error: { title: 'Refused', detail: 'It is refused.' } });

/** Refuses every request of an operation that matches, from the `from`-th request on. */
function refuses(
  operation: Operation,
  status: number,
  { from = 1, where = /^/ }: { readonly from?: number; readonly where?: RegExp } = {},
): Defective {
  return through(operation, async (request, usual, count) =>
    count >= from && where.test(request.path) ? refused(status) : usual(),
  );
}

/** Answers every request of an operation with 200 and the same. */
function says(operation: Operation, value: unknown): Defective {
  return through(operation, async () => inJson(200, value));
}

/** Changes what each success of an operation says. */
function edits(operation: Operation, edit: (data: unknown) => void): Defective {
  return through(operation, async (_request, usual) => {
    const answer = await usual();
    if (answer.status >= 300) return answer;
    const value: unknown = JSON.parse(Buffer.from(answer.body).toString());
    edit(Reflect.get(Object(value), 'data'));
    return { ...answer, body: Buffer.from(JSON.stringify(value)) };
  });
}

/** Leaves a field out of every record: of each item of a list, or of the two messages, or of the record itself. */
function without(operation: Operation, field: string): Defective {
  return edits(operation, (data) => {
    const named = ['userMessage', 'assistantMessage'].map((name): unknown => Reflect.get(Object(data), name));
    const records = Array.isArray(data) ? data : operation === 'sendMessage' ? named : [data];
    for (const record of records) Reflect.deleteProperty(Object(record), field);
  });
}

/** Answers a message whose key was accepted before with this status, and shows nothing of it. */
function repeats(status: number): Defective {
  const isAccepted = ({ status: got }: HttpResponse) => got < 300;
  return {
    through: (deployment) => {
      const known = new Set<string>();
      return async (request) => {
        const answer = await deployment(request);
        const key = Object.entries(request.headers).find(([name]) => name.includes('idempotency'))?.[1];
        if (routeOf(request.method, request.path)?.operation !== 'sendMessage' || key === undefined) return answer;
        const isKnown = known.has(key);
        if (isAccepted(answer)) known.add(key);
        if (!isKnown) return answer;
        return status < 300 ? inJson(status, {}) : refused(status);
      };
    },
  };
}

/** Declares something else than the reference's target file. */
const declares = (change: (target: Target) => Partial<Target>): Defective => ({
  part: (target) => ({ ...target, ...change(target) }),
});

const declaresThinly = (thin: keyof typeof thinTargets): Defective => ({ part: thinTargets[thin] });

/** By a name that says what is wrong, or odd. */
export const defective = {
  'every request is answered 401': { through: () => async () => refused(401) },
  'a target with two of each': declaresThinly('two of each'),
  'assistant at-once': { choices: { assistant: 'at-once' } },
  'byte-order-mark': { faults: ['byte-order-mark'] },
  'role-remembered-for-organization': { faults: ['role-remembered-for-organization'] },
  'key-ignored': { faults: ['key-ignored'] },
  'second-message-denied': { faults: ['second-message-denied'] },
  'a target without principals': declares(() => ({ principals: [] })),
  'listModels is answered 404 each time': refuses('listModels', 404),
  'conflict-423': { faults: ['conflict-423'] },
  'chat-lock-lingers': { faults: ['chat-lock-lingers'] },
  'a target with one organization and its admins': declares(({ organizations: [first], principals }) => ({
    organizations: first === undefined ? [] : [first],
    principals: principals
      .filter(({ adminOf }) => first !== undefined && adminOf.includes(first.id))
      .map((one) => ({ ...one, adminOf: first === undefined ? [] : [first.id] })),
    billingAccounts: [],
  })),
  'a target with an empty organization': declaresThinly('an empty organization'),
  'attached-by-others all-the-time': { choices: { 'attached-by-others': 'all-the-time' } },
  'wait-capped-in-between': { faults: ['wait-capped-in-between'] },
  'deleteDataSource is answered 200 without data': says('deleteDataSource', {}),
  'key-without-last-character': { faults: ['key-without-last-character'] },
  'a target whose attachable organizations are attached': declares(({ organizations, billingAccounts }) => ({
    billingAccounts: billingAccounts.map(({ attachable, ...one }) => {
      const others = organizations.map(({ id }) => id).filter((id) => !attachable.includes(id));
      return { ...one, attachable: [one.owner, ...others] };
    }),
  })),
  'listDataSources is answered 400 from the 20th on': refuses('listDataSources', 400, { from: 20 }),
  'getBillingAccount is answered 404 each time': refuses('getBillingAccount', 404),
  'conflict-429': { faults: ['conflict-429'] },
  'a target whose principals are admins of everything': declares(({ principals, organizations }) => ({
    principals: principals.map((one) => ({ ...one, adminOf: organizations.map(({ id }) => id) })),
  })),
  'chat-lives-on-one-node': { faults: ['chat-lives-on-one-node'] },
  'a target whose principals are admins of nothing': declares(({ principals }) => ({
    principals: principals.map((one) => ({ ...one, adminOf: [] })),
  })),
  'errors-cut-off': { faults: ['errors-cut-off'] },
  'every accepted message is answered 202': through('sendMessage', async (_request, usual) => {
    const answer = await usual();
    return answer.status < 300 ? { ...answer, status: 202 } : answer;
  }),
  'message-fields few': { choices: { 'message-fields': 'few' } },
  'deletion-for-nobody': { faults: ['deletion-for-nobody'] },
  'message-role anybody': { choices: { 'message-role': 'anybody' } },
  'key-of-256': { faults: ['key-of-256'] },
  'empty-list-null': { faults: ['empty-list-null'] },
  'message-201-elsewhere': { faults: ['message-201-elsewhere'] },
  'chat-lock-lingers-for-seconds': { faults: ['chat-lock-lingers-for-seconds'] },
  'cursor-of-word-characters': { faults: ['cursor-of-word-characters'] },
  'held-request-cut-off': { faults: ['held-request-cut-off'] },
  'a repeated key is answered 404': repeats(404),
  'window-twice-as-long': { faults: ['window-twice-as-long'] },
  'source-pages-without-cursor': { faults: ['source-pages-without-cursor'] },
  'messages without text': without('sendMessage', 'text'),
  'source-created-epoch': { faults: ['source-created-epoch'] },
  'response-lasts-as-long-as-wait': { faults: ['response-lasts-as-long-as-wait'] },
  'a repeated key is answered 202': repeats(202),
  'an account without ownerOrganizationId': without('getBillingAccount', 'ownerOrganizationId'),
  'denied-deletion-happens': { faults: ['denied-deletion-happens'] },
  'attachOrganization is answered 200 without data': says('attachOrganization', {}),
  'ids per-organization': { choices: { ids: 'per-organization' } },
  'a target with one data source to delete': declaresThinly('one data source to delete'),
  'listModels without databaseConnectionId': without('listModels', 'databaseConnectionId'),
} as const satisfies Readonly<Record<string, Defective>>;
