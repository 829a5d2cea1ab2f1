import { at, parseJson } from '../../../core/json.ts';
import type { Principal, Target } from '../../../core/target.ts';
import { type OpenChat, openChats } from '../../schedule/chat-turns.ts';
import { createDraw } from '../../schedule/draw.ts';
import { billingRequest, listRequest, type LoadRequest, messageRequest } from '../../schedule/load-request.ts';
import type { Rows } from './data-rows.ts';
import { type FlowStep, wholeFlow } from './flow-steps.ts';
import { filled, type Reference, referencesOf } from './template.ts';

/** Who goes through a flow. */
export type Identity = { readonly admin: Principal; readonly organizationId: string; readonly chat?: OpenChat };

/** One user on the way through a flow. */
export type FlowUser = Identity & {
  /** Its place among all users, which decides what is drawn for it. */
  readonly index: number;
  /** Values of earlier answers, by reference. */
  readonly recalled: Map<string, string>;
};

export type StepRequests = {
  /** The request of a step; undefined if it refers to a value that is not there, or if nothing is declared for it. */
  readonly requestOf: (step: FlowStep, user: FlowUser, attempt: number) => LoadRequest | undefined;
  /** Keeps what later steps refer to. */
  readonly recall: (step: FlowStep, user: FlowUser, body: readonly Uint8Array[]) => void;
};

export type StepRequestsOptions = {
  readonly steps: readonly FlowStep[];
  readonly rows: Rows;
  readonly target: Target;
  readonly timeoutMs: number;
  readonly seed: number;
  readonly runId: string;
};

/** The users of a flow: an admin of each organization or, if the flow sends messages, one for each chat. */
export function identitiesOf(target: Target, writes: boolean): readonly Identity[] {
  if (writes) return openChats(target).map((chat) => ({ ...chat, chat }));
  return target.organizations.flatMap(({ id: organizationId }) =>
    target.principals
      .filter(({ adminOf }) => adminOf.includes(organizationId))
      .map((admin) => ({ admin, organizationId })),
  );
}

const anyLabel = 5;
/** A value of an answer that is longer is not kept. */
const maxValue = 1000;

export function createStepRequests({ steps, rows, target, timeoutMs, seed, runId }: StepRequestsOptions): StepRequests {
  const draw = createDraw(seed);
  const wanted = steps.flatMap(textsOf).flatMap(referencesOf);

  const valueOf = (user: FlowUser) => (reference: Reference) =>
    reference.of === 'row'
      ? rows[Math.abs(user.index) % rows.length]?.[reference.path.join('.')]
      : user.recalled.get(nameOf(reference));

  function queryOf(step: FlowStep, user: FlowUser): Readonly<Record<string, string>> | undefined {
    const query: Record<string, string> = {};
    for (const name of ['cursor', 'databaseConnectionId'] as const) {
      const text = step[name];
      const value = text === undefined ? undefined : filled(text, valueOf(user));
      if (text !== undefined && value === undefined) return undefined;
      if (value !== undefined) query[name] = value;
    }
    return query;
  }

  function plainRequestOf(step: FlowStep, user: FlowUser, attempt: number): LoadRequest | undefined {
    const { admin, organizationId, chat, index } = user;
    switch (step.send) {
      case 'listModels':
      case 'listDataSources': {
        const query = queryOf(step, user);
        return query && listRequest(step.send, admin, organizationId, step.limit, timeoutMs, query);
      }
      case 'getBillingAccount': {
        const accounts = target.billingAccounts.filter(({ owner }) => admin.adminOf.includes(owner));
        const account = accounts[Math.abs(index) % accounts.length];
        return account && billingRequest(admin, account.id, timeoutMs);
      }
      case 'sendMessage': {
        const text = step.message === undefined ? target.assistant.quickPrompt : filled(step.message, valueOf(user));
        if (text === undefined || chat === undefined) return undefined;
        const key = `awc-${runId}-${index}-${step.name}-${attempt}`;
        return { ...messageRequest(target, chat, { text, key, waitSeconds: step.wait, timeoutMs }), sure: 'new key' };
      }
    }
  }

  return {
    requestOf(step, user, attempt) {
      const request = plainRequestOf(step, user, attempt);
      return request && { ...request, repeats: false, stepNames: [step.name, wholeFlow] };
    },
    recall(step, user, body) {
      const own = wanted.filter(({ of }) => of === step.name);
      if (own.length === 0) return;
      const answer = parseJson(Buffer.concat(body)).value;
      for (const reference of own) {
        const value = lookUp(answer, reference.path, draw.at(user.index, anyLabel));
        if (!isPlain(value)) continue;
        const text = String(value);
        if (text.length <= maxValue) user.recalled.set(nameOf(reference), text);
      }
    },
  };
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function textsOf({ cursor, databaseConnectionId, message }: FlowStep): readonly string[] {
  return [cursor, databaseConnectionId, message].filter((text) => text !== undefined);
}

function nameOf({ of, path }: Reference): string {
  return [of, ...path].join('.');
}

/** `place`, from 0 up to 1, chooses the item for `any`. */
function lookUp(answer: unknown, path: readonly string[], place: number): unknown {
  let here = answer;
  for (const name of path)
    here = at(here, name === 'any' && Array.isArray(here) ? Math.floor(place * here.length) : name);
  return here;
}
