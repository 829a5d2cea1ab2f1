import type { CheckRecord, RunRecord } from '../reports/record/record.ts';
import type { Revision } from '../spec/revisions/revision.ts';
import { checksOf } from './judge-revision.ts';

/** The reasons why a run cannot be certified, one sentence each. */
export function obstacles(record: RunRecord, revision: Revision): readonly string[] {
  return [...lacking(record, revision), ...unwanted(record)];
}

/** The requirements and checks of the revision that are missing or not passed or warned. */
function lacking({ checks, requirements }: RunRecord, revision: Revision): readonly string[] {
  const verdicts = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  const judged = new Map(checks.map((check) => [check.id, check]));
  return [
    ...revision.requirements.filter((id) => !verdicts.has(id)).map((id) => `requirement ${id} is left out`),
    ...checksOf(revision).flatMap(({ id }) => {
      const check = judged.get(id);
      if (check === undefined) return [`check ${id} is left out`];
      if (check.verdict === 'passed' || check.verdict === 'warned') return [];
      return [`${id} ${whyOf(check)}`];
    }),
  ];
}

/** The differences from an unfiltered run of the whole revision. */
function unwanted(record: RunRecord): readonly string[] {
  const { checks, only, waivers, acceptedGaps = [], problems, target, result } = record;
  const { faults = [], choices = {} } = target.embedded ?? {};
  return [
    ...(new Set(checks.map(({ id }) => id)).size < checks.length ? ['the report lists a check twice'] : []),
    ...(only.length > 0 ? ['only some checks were asked for'] : []),
    ...(waivers.length > 0 ? ['a violation is waived, which a certificate does not allow'] : []),
    ...(acceptedGaps.length > 0 ? ['a gap is accepted, which a certificate does not allow'] : []),
    ...problems.map((problem) => `a bug in the suite: ${problem}`),
    ...(faults.length > 0 || Object.keys(choices).length > 0 ? ['the embedded reference was changed'] : []),
    ...(result === 'conformant' ? [] : [`the result is ${result}`]),
  ];
}

/** The verdict of a check and its reason. */
export function whyOf({ verdict, reason, expected, actual }: CheckRecord): string {
  if (reason !== undefined) return `${verdict}: ${reason}`;
  return expected === undefined ? verdict : `${verdict}: expected ${expected}; got ${actual ?? 'no value'}`;
}
