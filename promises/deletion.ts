import { type Answer, isSuccess } from '../core/exchange.ts';
import { isAfter, isSameTime } from '../core/instant.ts';
import { at, stringAt } from '../core/json.ts';
import { type Item, readPage } from '../core/page.ts';
import { askedOf } from '../core/route.ts';
import { describe } from '../core/text.ts';
import { dataSourceAnswerSchema } from '../schemas/data-source.ts';
import { dataConforms } from './data-conforms.ts';
import { type AnswerPromise, eachIn, type Judgement, ofSuccess, promised } from './judgement.ts';

/** How long a list may take to show a deletion, in milliseconds: most replicas show it by then. */
export const listLagMs = 4000;
/** The time after a deletion by which every replica of a list must show it, in milliseconds. */
export const heardMs = 30_000;

/** An accepted deletion, and the record as a list showed it before; undefined where that is not known. */
export type Deleted = { readonly answer: Answer; readonly listed: unknown };

/** How far apart the two times of one creation may be written, in milliseconds. */
const apartMs = 1000;

export const deletedRecord = promised('delete.record', ({ answer, listed }: Deleted): Judgement => {
  const asked = askedOf(answer.exchange);
  if (asked?.operation !== 'deleteDataSource' || !isSuccess(answer)) return undefined;
  const got = at(answer.json, 'data', 'id');
  if (got !== asked.id) {
    return { expected: `data with id ${describe(asked.id)}`, actual: answer.problem ?? `id ${describe(got)}` };
  }
  const [before, now] = [listed, at(answer.json, 'data')].map((record) => stringAt(record, 'createdAt'));
  // The list may write it in whole minutes, and the answer with seconds.
  const isOther =
    isSameTime(before, now) === false && Math.abs(Date.parse(before ?? '') - Date.parse(now ?? '')) >= apartMs;
  return isOther ? { expected: `createdAt as in the list, ${describe(before)}`, actual: describe(now) } : 'kept';
});

export const deletedTypes = ofSuccess('delete.record-types', ['deleteDataSource'], (answer) =>
  dataConforms(dataSourceAnswerSchema, answer),
);

/** An accepted deletion, and the answer to the ID of the deleted data source as cursor. */
export type Continued = {
  readonly deleted: Answer;
  /** Items that its list showed at any time. */
  readonly listed: readonly Item[];
  /** The first item of its list after the deletion, if the deleted one stood behind it; undefined where that is not known. */
  readonly first?: Item | undefined;
  readonly answer: Answer;
};

/**
 * A list is ordered by creation, so a page that starts the list over shows a newer item. Items of one instant may stand on
 * either side, so for them only the first item of the list tells.
 */
export const cursorKeepsPlace = promised(
  'delete.cursor-keeps-place',
  ({ deleted, listed, first, answer }: Continued): Judgement => {
    const page = readPage(answer);
    if (page === undefined) return undefined;
    const data = at(deleted.json, 'data');
    const isNewer = ({ createdAt }: Item) => isAfter(createdAt, stringAt(data, 'createdAt')) === true;
    const isFirst = first !== undefined && page.items[0]?.id === first.id;
    const newer = page.items.find(isNewer);
    if (newer === undefined && !isFirst) return first !== undefined || listed.some(isNewer) ? 'kept' : undefined;
    return {
      expected: `after ${describe(at(data, 'id'))}, which was deleted, not the beginning of the list`,
      actual:
        newer === undefined ? `${describe(first?.id)}, the first data source` : `${describe(newer.id)}, which is newer`,
      evidence: [deleted.exchange, answer.exchange],
    };
  },
);

/** An accepted deletion, the answer to the ID of the deleted data source as cursor, and an item that stood behind it all the time. */
export type FollowedBy = { readonly deleted: Answer; readonly answer: Answer; readonly next: Item };

export const cursorReachesTheRest = promised(
  'delete.cursor-reaches-the-rest',
  ({ deleted, answer, next }: FollowedBy): Judgement => {
    const page = readPage(answer);
    if (page === undefined) return undefined;
    const [first] = page.items;
    const isOlder = (one: Item): boolean => isAfter(next.createdAt, one.createdAt) === true;
    const isSkipped = first !== undefined && isOlder(first);
    // Items of one instant may stand in any order, but one that is older than the cursor must be among them.
    const isDue =
      isAfter(stringAt(at(deleted.json, 'data'), 'createdAt'), next.createdAt) === true &&
      (page.items.some(isOlder) || !page.hasMore);
    const isLeftOut = isDue && page.items.every(({ id }) => id !== next.id);
    if (!isSkipped && !isLeftOut && (first !== undefined || page.hasMore)) return 'kept';
    const asked = askedOf(deleted.exchange);
    const id = asked?.operation === 'deleteDataSource' ? asked.id : undefined;
    return {
      expected: `after ${describe(id)}, which was deleted, a refusal or ${describe(next.id)}, which follows it`,
      actual:
        first === undefined
          ? 'an empty page without more'
          : `${describe(first.id)}, ${isSkipped ? 'which is older' : 'and older ones without it'}`,
      evidence: [deleted.exchange, answer.exchange],
    };
  },
);

/** Section 4.6. */
export const deletionPromises: readonly AnswerPromise[] = [
  eachIn((answer) => [{ answer, listed: undefined }], deletedRecord),
  deletedTypes,
];
