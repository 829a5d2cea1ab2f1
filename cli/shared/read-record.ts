import { type RunRecord, recordSchema } from '../../reports/record/record.ts';
import { parsedFile, readJson } from './read-json.ts';

/** The report in a file. Rejects with UserError when it is none. */
export async function readRecord(path: string): Promise<RunRecord> {
  return parsedFile(recordSchema, await readJson(path), path, 'report of this suite');
}
