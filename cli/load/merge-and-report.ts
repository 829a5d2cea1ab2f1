import { join } from 'node:path';
import { mergeRecords } from '../../load/judge/merge.ts';
import { loadExitCode } from '../../reports/load/load-exit-code.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { renderLoadTerminal } from '../../reports/load/load-terminal.ts';
import { safeJsonLine } from '../../reports/text/safe-json.ts';
import { type Context, wantsColor } from '../shared/context.ts';
import { readLoadRecord } from '../shared/read-record.ts';
import { UserError } from '../shared/user-error.ts';
import { makeFolder, writeWhole } from '../shared/write-whole.ts';

/** Merges the records of the shards of a run, shows and writes the result, and returns the exit code. */
export async function mergeAndReport(
  folders: readonly string[],
  out: string | undefined,
  context: Context,
): Promise<number> {
  if (out !== undefined) await makeFolder(out);
  const records: LoadRecord[] = [];
  for (const folder of folders) records.push(await readLoadRecord(join(folder, 'load.json')));
  const merged = mergeRecords(records);
  if (merged.kind === 'refused') throw new UserError(merged.reason);
  if (out !== undefined) await writeWhole(join(out, 'load.json'), safeJsonLine(merged.record));
  context.out.write(renderLoadTerminal(merged.record, { color: wantsColor(context.out) }));
  return loadExitCode(merged.record);
}
