import { type Answer, isSuccess, summary } from '../core/exchange.ts';
import { instantOf, isAfter, isSameTime } from '../core/instant.ts';
import { at, stringAt } from '../core/json.ts';
import { describe } from '../core/text.ts';
import { type Broken, type Judgement, promised } from './judgement.ts';
import { messageIds } from './messages.ts';

/** The answers to an accepted message request and to one that was sent when the first was answered. */
export type Repetition = { readonly first: Answer; readonly again: Answer };

/** How far apart the two times of one creation may be written, in milliseconds. */
const apartMs = 5000;

export const repeatedAfter = promised('idempotency.after', (pair: Repetition) =>
  isFinished(pair) ? judgeRepetition(pair) : undefined,
);

export const repeatedWhileGenerating = promised('idempotency.while-generating', (pair: Repetition) =>
  isFinished(pair) ? undefined : judgeRepetition(pair),
);

/** Section 4.2: two requests with different keys. */
export const differentKeys = promised('idempotency.opaque', judgeOther);

/** Sections 4.2 and 8: the same key, with the same text, gives the same messages, as far as they are settled. */
export function judgeRepetition({ first, again }: Repetition): Judgement {
  const exchanges = [first.exchange, again.exchange];
  const broken = (expected: string, actual: string): Broken => ({ expected, actual, evidence: exchanges });
  if (again.status !== 200 && again.status !== 202) return broken('200 or 202', summary(again));
  const [wanted, got] = [messageIds(first), messageIds(again)];
  if ([...wanted, ...got].includes(undefined)) return undefined;
  if (wanted.some((id, place) => id !== got[place])) {
    return broken(`the messages ${describe(wanted)}`, describe(got));
  }
  const [before, now] = [first, again].map(({ json }) => stringAt(json, 'data', 'assistantMessage', 'status'));
  const isComplete = first.status === 200 && now !== undefined && now === before && now !== 'generating';
  if (isComplete && again.status !== 200) {
    return broken('200, the response being complete', `202, and ${describe(now)}`);
  }
  // A copy of the data may lag for a moment.
  const isLater = again.exchange.sentAt - first.exchange.receivedAt > apartMs;
  if (first.status === 200 && now === 'generating' && before !== undefined && before !== now && isLater) {
    return broken(`the status ${describe(before)} of a complete response`, describe(now));
  }
  const changed = settledFields.find(([record, field]) => hasChanged(record, field, first, again));
  if (changed !== undefined) {
    const [was, is] = [first, again].map(({ json }) => at(json, 'data', ...changed));
    return broken(`${changed.join('.')} ${describe(was)}`, describe(is));
  }
  const lost = partsLost(first, again);
  if (lost !== undefined) return broken(`${lost.record}.parts as before, ${lost.count} with its text`, 'none');
  const part = partCreatedAgain(first, again);
  return part === undefined ? 'kept' : broken(`createdAt ${describe(part.was)} of ${part.place}`, describe(part.is));
}

/** Section 4.2: a request that repeats no other one, such as one with another key, never shows the messages of that one. */
export function judgeOther({ first, again }: Repetition): Judgement {
  const ids = messageIds(first);
  const shared = messageIds(again).find((id) => id !== undefined && ids.includes(id));
  if (!isSuccess(again) || shared === undefined) return 'kept';
  const evidence = [first.exchange, again.exchange];
  return { expected: 'other messages', actual: `the message ${describe(shared)}`, evidence };
}

/**
 * What of a message is settled once it is there: who wrote what, after which message, and when; and when its chat was made. The answer
 * grows until it is complete.
 */
const settledFields = [
  ['chat', 'createdAt'],
  ['userMessage', 'text'],
  ['userMessage', 'role'],
  ['userMessage', 'parentId'],
  ['userMessage', 'createdAt'],
  ['assistantMessage', 'role'],
  ['assistantMessage', 'parentId'],
  ['assistantMessage', 'createdAt'],
  ['assistantMessage', 'text'],
] as const;

function isFinished({ first, again }: Repetition): boolean {
  return first.status === 200 || again.status === 200;
}

function hasChanged(record: string, field: string, first: Answer, again: Answer): boolean {
  // Until the response is finished, its message may be a placeholder.
  if (record === 'assistantMessage' && first.status !== 200) return false;
  const [before, now] = [first, again].map(({ json }) => stringAt(json, 'data', record, field));
  if (record === 'assistantMessage' && field === 'text' && (again.status !== 200 || saysUpdated(first, again)))
    return false;
  // A text that was shown once is part of the original result.
  if (field === 'text' && before !== undefined && before !== '') return before !== now;
  // What a message follows may be known only later.
  if (before === undefined || now === undefined || (field === 'parentId' && before === '')) return false;
  // An empty text is one that the first answer did not show.
  if (field === 'text' && before === '') return false;
  return field === 'createdAt' ? !isAbout(before, now) : before !== now;
}

/** A complete response may be edited, such as by a job that adds sources: its message then says that it was updated since. */
function saysUpdated(first: Answer, again: Answer): boolean {
  const [before, now] = [first, again].map(({ json }) => stringAt(json, 'data', 'assistantMessage', 'updatedAt'));
  return before !== undefined && now !== undefined && isAfter(now, before) === true;
}

/**
 * How many parts of a complete message hold its text, where a later answer shows no parts, as if they were not read with it. Other parts,
 * such as commentary, may be shown only while the assistant responds.
 */
function partsLost(first: Answer, again: Answer) {
  if (first.status !== 200 || again.status !== 200) return undefined;
  for (const record of ['userMessage', 'assistantMessage'] as const) {
    if (record === 'assistantMessage' && saysUpdated(first, again)) continue;
    const [before, now] = [first, again].map(({ json }) => at(json, 'data', record, 'parts'));
    const text = stringAt(first.json, 'data', record, 'text') ?? '';
    const parts: readonly unknown[] = Array.isArray(before) ? before : [];
    const count = parts.filter((part) => isOfText(part, text)).length;
    const isLost = now === undefined || now === null || (Array.isArray(now) && now.length === 0);
    if (count > 0 && isLost) return { record, count };
  }
  return undefined;
}

function isOfText(part: unknown, text: string): boolean {
  const content = stringAt(part, 'content') ?? '';
  return content !== '' && text.includes(content) && at(part, 'phase') !== 'commentary';
}

/** A part of a complete message whose time of creation is another one the second time. Parts are the same if their IDs are. */
function partCreatedAgain(first: Answer, again: Answer) {
  if (first.status !== 200) return undefined;
  for (const record of ['userMessage', 'assistantMessage'] as const) {
    const [before, now] = [first, again].map(({ json }) => partsOf(at(json, 'data', record, 'parts')));
    for (const [id, was] of before ?? []) {
      const is = now?.get(id);
      if (is !== undefined && !isAbout(was, is)) return { place: `the part ${describe(id)} of ${record}`, was, is };
    }
  }
  return undefined;
}

/** Parts that are compared of one message. */
const mostParts = 50;

/** `createdAt` of the parts of a message, by their IDs. IDs that two parts have say nothing. */
function partsOf(parts: unknown): ReadonlyMap<string, string> {
  const seen = (Array.isArray(parts) ? parts.slice(0, mostParts) : []).flatMap((part: unknown) => {
    const [id, createdAt] = [stringAt(part, 'id'), stringAt(part, 'createdAt')];
    return id === undefined || createdAt === undefined ? [] : [{ id, createdAt }];
  });
  const byId = Map.groupBy(seen, ({ id }) => id);
  return new Map(seen.filter(({ id }) => byId.get(id)?.length === 1).map(({ id, createdAt }) => [id, createdAt]));
}

/** The two may come from two clocks and in two precisions. Times that leave their instant open are not compared. */
function isAbout(before: string, now: string): boolean {
  const [one, other] = [instantOf(before), instantOf(now)];
  if (one === undefined || other === undefined) return true;
  return isSameTime(before, now) === true || Math.abs(other - one) <= apartMs;
}
