import type { Hooks } from './points.ts';

/** Alters a value by each of these in turn. */
function piped<Value, About extends readonly unknown[]>(
  parts: readonly Partial<Hooks>[],
  pick: (part: Partial<Hooks>) => ((value: Value, ...about: About) => Value) | undefined,
): (value: Value, ...about: About) => Value {
  const all = parts.map(pick).filter((alter) => alter !== undefined);
  const [first, ...rest] = all;
  if (first === undefined) return (value, ..._about) => value;
  if (rest.length === 0) return first;
  return (value, ...about) => all.reduce((altered, alter) => alter(altered, ...about), value);
}

/** Informs each of these. */
function heard<Event extends readonly unknown[]>(
  parts: readonly Partial<Hooks>[],
  pick: (part: Partial<Hooks>) => ((...event: Event) => void) | undefined,
): (...event: Event) => void {
  const all = parts.map(pick).filter((observe) => observe !== undefined);
  return (...event) => {
    for (const observe of all) observe(...event);
  };
}

/** The hooks of several faults and choices as one: without any, everything passes as it is. */
export function joinedHooks(parts: readonly Partial<Hooks>[]): Hooks {
  return {
    received: piped(parts, (part) => part.received),
    caller: piped(parts, (part) => part.caller),
    organizationId: piped(parts, (part) => part.organizationId),
    lookupFirst: piped(parts, (part) => part.lookupFirst),
    carriedOut: piped(parts, (part) => part.carriedOut),
    models: piped(parts, (part) => part.models),
    sources: piped(parts, (part) => part.sources),
    filter: piped(parts, (part) => part.filter),
    cursor: piped(parts, (part) => part.cursor),
    pageSize: piped(parts, (part) => part.pageSize),
    sequence: piped(parts, (part) => part.sequence),
    pageStart: piped(parts, (part) => part.pageStart),
    pageItems: piped(parts, (part) => part.pageItems),
    pagination: piped(parts, (part) => part.pagination),
    modelShown: piped(parts, (part) => part.modelShown),
    sourceShown: piped(parts, (part) => part.sourceShown),
    sourceId: piped(parts, (part) => part.sourceId),
    deletes: piped(parts, (part) => part.deletes),
    deletedRecord: piped(parts, (part) => part.deletedRecord),
    accountId: piped(parts, (part) => part.accountId),
    accountShown: piped(parts, (part) => part.accountShown),
    attachedField: piped(parts, (part) => part.attachedField),
    attachable: piped(parts, (part) => part.attachable),
    attachmentCounts: piped(parts, (part) => part.attachmentCounts),
    chatId: piped(parts, (part) => part.chatId),
    jsonText: piped(parts, (part) => part.jsonText),
    messageField: piped(parts, (part) => part.messageField),
    messageText: piped(parts, (part) => part.messageText),
    key: piped(parts, (part) => part.key),
    wait: piped(parts, (part) => part.wait),
    keyKnown: piped(parts, (part) => part.keyKnown),
    startsAgain: piped(parts, (part) => part.startsAgain),
    rivals: piped(parts, (part) => part.rivals),
    whenBusy: piped(parts, (part) => part.whenBusy),
    disturbedEnd: piped(parts, (part) => part.disturbedEnd),
    refusedMessage: piped(parts, (part) => part.refusedMessage),
    messageId: piped(parts, (part) => part.messageId),
    pauseMs: piped(parts, (part) => part.pauseMs),
    lookAgainMs: piped(parts, (part) => part.lookAgainMs),
    chatShown: piped(parts, (part) => part.chatShown),
    userMessageShown: piped(parts, (part) => part.userMessageShown),
    assistantMessageShown: piped(parts, (part) => part.assistantMessageShown),
    partShown: piped(parts, (part) => part.partShown),
    chartShown: piped(parts, (part) => part.chartShown),
    retryAfterMs: piped(parts, (part) => part.retryAfterMs),
    error: piped(parts, (part) => part.error),
    status: piped(parts, (part) => part.status),
    bodyText: piped(parts, (part) => part.bodyText),
    restored: piped(parts, (part) => part.restored),
    onRefused: heard(parts, (part) => part.onRefused),
    onAccepted: heard(parts, (part) => part.onAccepted),
    onRepeated: heard(parts, (part) => part.onRepeated),
    onClientLeft: heard(parts, (part) => part.onClientLeft),
    onDeleted: heard(parts, (part) => part.onDeleted),
    onAttached: heard(parts, (part) => part.onAttached),
    onOutage: heard(parts, (part) => part.onOutage),
  };
}
