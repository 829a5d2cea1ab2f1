import type { Target } from '../../core/target.ts';
import type { FlowLoad, FlowStep, Think } from '../kinds/flow/flow-steps.ts';
import { createStepRequests, type FlowUser, identitiesOf } from '../kinds/flow/step-request.ts';
import { parseTemplate, referencesOf } from '../kinds/flow/template.ts';
import type { Profile } from '../profile/profile.ts';
import { type ExportedRequest, onceMark, requestExporter, withoutKeys } from './exported-request.ts';

/** Text, or the name of a value: a column such as `row.question`, or part of an answer such as `open.data.0.id`. */
export type TemplatePart = string | { readonly from: string };

export type ExportedStep = {
  readonly name: string;
  readonly operation: FlowStep['send'];
  readonly timeoutMs: number;
  readonly think: Think;
  /** Parameters of the query that users fill in, by name. */
  readonly query: Readonly<Record<string, readonly TemplatePart[]>>;
  /** The text of a message that users fill in. */
  readonly message: readonly TemplatePart[] | undefined;
  /** The values of the answer that later steps refer to. */
  readonly recalls: readonly { readonly from: string; readonly path: readonly string[] }[];
};

/** The requests of a user by step, without what the user fills in. Users take turns with several requests of a step. */
export type ExportedUser = Readonly<Record<string, readonly ExportedRequest[]>>;

/** A flow for a target as plain data, from which a script for another engine is made. */
export type ExportedFlow = {
  readonly profile: Profile;
  readonly flow: FlowLoad;
  readonly target: Target;
  readonly steps: readonly ExportedStep[];
  readonly users: readonly ExportedUser[];
  /** Whether each user needs a chat that no other one writes to. */
  readonly hasOwnChats: boolean;
  /** Steps for which the target file declares nothing. */
  readonly missing: readonly string[];
};

export function exportedFlow(profile: Profile, flow: FlowLoad, target: Target): ExportedFlow {
  const keyless = withoutKeys(target);
  const { timeoutMs } = profile;
  const hasOwnChats = flow.steps.some(({ send }) => send === 'sendMessage');
  // What users fill in is left to the script, so each step can be asked for its request at once.
  const bare = flow.steps.map(({ name, send, limit, wait, think }) => ({ name, send, limit, wait, think }));
  const { requestOf } = createStepRequests({
    steps: bare,
    rows: [],
    target: keyless,
    timeoutMs,
    seed: 0,
    runId: onceMark.replace('awc-', ''),
  });
  const exported = requestExporter(target);
  const variants = target.billingAccounts.length;
  function requestsOf(step: FlowStep, identity: Omit<FlowUser, 'index' | 'recalled'>): readonly ExportedRequest[] {
    const found = Array.from({ length: step.send === 'getBillingAccount' ? variants : 1 }, (_, index) =>
      requestOf(step, { ...identity, index, recalled: new Map() }, 0),
    ).filter((request) => request !== undefined);
    return [...new Map(found.map((request) => [request.request.path, exported(request)])).values()];
  }
  const users = identitiesOf(keyless, hasOwnChats).map((identity) =>
    Object.fromEntries(bare.map((step) => [step.name, requestsOf(step, identity)])),
  );
  return {
    profile,
    flow,
    target,
    steps: flow.steps.map((step) => exportedStep(step, flow.steps, timeoutMs)),
    users,
    hasOwnChats,
    missing: bare.map(({ name }) => name).filter((name) => users.every((user) => user[name]?.length === 0)),
  };
}

function exportedStep(step: FlowStep, all: readonly FlowStep[], timeoutMs: number): ExportedStep {
  const { name, send, think, cursor, databaseConnectionId, message, wait = 0 } = step;
  const later = all.flatMap((one) => [one.cursor, one.databaseConnectionId, one.message].flatMap((text) => text ?? []));
  const own = later.flatMap(referencesOf).filter(({ of }) => of === name);
  return {
    name,
    operation: send,
    timeoutMs: timeoutMs + wait * 1000,
    think,
    query: Object.fromEntries(
      Object.entries({ cursor, databaseConnectionId }).flatMap(([field, text]) =>
        text === undefined ? [] : [[field, templateOf(text)]],
      ),
    ),
    message: message === undefined ? undefined : templateOf(message),
    recalls: [...new Map(own.map(({ path }) => [path.join('.'), path])).values()].map((path) => ({
      from: [name, ...path].join('.'),
      path,
    })),
  };
}

function templateOf(text: string): readonly TemplatePart[] {
  return (parseTemplate(text) ?? []).map((part) =>
    typeof part === 'string' ? part : { from: [part.of, ...part.path].join('.') },
  );
}
