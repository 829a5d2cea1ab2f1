import { join } from 'node:path';
import { shown } from '../../../core/text.ts';
import type { PartFailure } from '../../../load/gather/protocol.ts';
import { mergeRecords } from '../../../load/judge/merge.ts';
import { missingParts, partsText } from '../../../load/judge/why-not-merged.ts';
import { loadExitCode } from '../../../reports/load/load-exit-code.ts';
import type { LoadRecord } from '../../../reports/load/load-record.ts';
import { renderLoadTerminal } from '../../../reports/load/load-terminal.ts';
import type { ExitCode } from '../../../reports/record/exit-code.ts';
import { safeJsonLine } from '../../../reports/text/safe-json.ts';
import { type Context, wantsColor } from '../../shared/context.ts';
import { UserError } from '../../shared/user-error.ts';
import { writeWhole } from '../../shared/write-whole.ts';

/** What the parts of a load left. */
export type Parts = {
  readonly records: readonly LoadRecord[];
  /** In the order in which they happened. */
  readonly failures: readonly PartFailure[];
  readonly of: number;
};

export type Reported = { readonly code: ExitCode; readonly whole?: LoadRecord };

/**
 * Merges the records of all parts, shows and writes the result, and returns it with its exit code. If a part is missing, it names the
 * missing parts instead: a few parts are not judged as the whole.
 */
export async function reportParts(parts: Parts, out: string | undefined, context: Context): Promise<Reported> {
  const { records, of } = parts;
  const merged = mergeRecords(records);
  const missing = missingParts(records, of);
  if (merged.kind === 'refused') {
    if (records.length > 0 && merged.missing.length === 0) throw new UserError(merged.reason);
    for (const line of missingLines(parts, missing)) context.out.write(`✗ ${line}\n`);
    context.out.write(`No verdict: ${records.length} of ${of} parts left a record.\n`);
    return { code: 6 };
  }
  if (out !== undefined) await writeWhole(join(out, 'load.json'), safeJsonLine(merged.record));
  context.out.write(renderLoadTerminal(merged.record, { color: wantsColor(context.out) }));
  return { code: loadExitCode(merged.record), whole: merged.record };
}

/** Each cause once, with its parts. */
function missingLines({ failures, of }: Parts, missing: readonly number[]): readonly string[] {
  const known = failures.filter(({ part }) => missing.includes(part));
  const unknown = missing.filter((part) => !known.some((failure) => failure.part === part));
  const reasons = [
    ...known.map(({ part, reason }) => ({ part, reason: shown(reason, 600) })),
    ...unknown.map((part) => ({ part, reason: 'neither a record nor a reason' })),
  ];
  const groups = Map.groupBy(reasons, ({ reason }) => reason);
  return [...groups].map(([reason, group]) => {
    const names = group.map(({ part }) => part).toSorted((one, other) => one - other);
    return `${partsText(names, of)}: ${reason}`;
  });
}
