import { readFile } from 'node:fs/promises';
import { type RunRecord, recordSchema } from '../reports/record.ts';
import { UserError } from './user-error.ts';

/** The report in a file. Rejects with UserError when it is none. */
export async function readRecord(path: string): Promise<RunRecord> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch {
    throw new UserError(`${path} is not there, or is no JSON.`);
  }
  const parsed = recordSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(`${path} is no report of this suite: ${issue?.path.join('.')}: ${issue?.message}.`);
}
