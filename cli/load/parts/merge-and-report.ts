import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failureSchema, type PartFailure } from '../../../load/gather/protocol.ts';
import type { LoadRecord } from '../../../reports/load/load-record.ts';
import type { Context } from '../../shared/context.ts';
import { readLoadRecord } from '../../shared/read-record.ts';
import { UserError } from '../../shared/user-error.ts';
import { makeFolder } from '../../shared/write-whole.ts';
import { failureFile } from './as-part.ts';
import { reportParts } from './report-parts.ts';

/** Merges the records of the parts of a load, shows and writes the result, and returns the exit code. */
export async function mergeAndReport(
  folders: readonly string[],
  out: string | undefined,
  context: Context,
): Promise<number> {
  if (out !== undefined) await makeFolder(out);
  const records: LoadRecord[] = [];
  const failures: PartFailure[] = [];
  for (const folder of folders) {
    const failure = await failureIn(folder);
    if (failure !== undefined) failures.push(failure);
    else if (!isEmptyFolder(folder)) records.push(await readLoadRecord(join(folder, 'load.json')));
  }
  const of = records[0]?.shards.of ?? failures[0]?.of;
  if (of === undefined) throw new UserError('none of the folders has a load.json or a failed.json.');
  const { code } = await reportParts({ records, failures, of }, out, context);
  return code;
}

/** Whether this is the folder of a part that was killed. */
function isEmptyFolder(folder: string): boolean {
  return existsSync(folder) && !existsSync(join(folder, 'load.json'));
}

/** Why a part has no record; undefined if the folder does not say so. */
async function failureIn(folder: string): Promise<PartFailure | undefined> {
  const path = join(folder, failureFile);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return failureSchema.parse(JSON.parse(text));
  } catch {
    throw new UserError(`${path} does not say why a part failed.`);
  }
}
