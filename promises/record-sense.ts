import { isAfterByAnyClock } from '../core/instant.ts';
import { at } from '../core/json.ts';
import { describe } from '../core/text.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { type Promised, promised } from './judgement.ts';
import type { ReadRecord } from './records.ts';

/** What a record says, and whether it makes sense; undefined where it says nothing about the matter. */
export type Sense = { readonly holds: boolean; readonly actual: () => string } | undefined;

/** A promise about what the fields of one record have to do with each other. */
export type RecordSense = Promised<Pick<ReadRecord, 'record'>> & {
  /** What a record has that says anything about it. */
  readonly needed: string;
};

/** Makes promises about records of one kind, such as `model`. */
export function senseOf(kind: string) {
  return (
    requirement: RequirementId,
    expected: string,
    needed: string,
    look: (record: unknown) => Sense,
  ): RecordSense => {
    const { judge } = promised(requirement, ({ record }: Pick<ReadRecord, 'record'>) => {
      const found = look(record);
      if (found === undefined || found.holds) return found && 'kept';
      return { expected, actual: `${kind} ${describe(at(record, 'id'), 100)}: ${found.actual()}` };
    });
    return { requirement, judge, needed };
  };
}

export function updatedAfterCreated(record: unknown): Sense {
  return notBefore(at(record, 'createdAt'), at(record, 'updatedAt'));
}

/**
 * Whether the later time is not before the earlier one; undefined where an instant is unclear. A database may write one of them, and
 * the process that uses it the other.
 */
export function notBefore(earlier: unknown, later: unknown): Sense {
  const isBefore = isAfterByAnyClock(earlier, later);
  return isBefore === undefined
    ? undefined
    : { holds: !isBefore, actual: () => `${describe(later)} before ${describe(earlier)}` };
}
