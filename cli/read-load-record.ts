import { readFile } from 'node:fs/promises';
import { type LoadRecord, loadRecordSchema } from '../reports/load-record.ts';
import { UserError } from './user-error.ts';

/** Reads the record of a load run. Rejects with UserError when there is none. */
export async function readLoadRecord(path: string): Promise<LoadRecord> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch {
    throw new UserError(`${path} is not there, or is no JSON.`);
  }
  const parsed = loadRecordSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(`${path} is no record of a load run: ${issue?.path.join('.')}: ${issue?.message}.`);
}
