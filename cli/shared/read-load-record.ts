import { type LoadRecord, loadRecordSchema } from '../../reports/load/load-record.ts';
import { parsedFile, readJson } from './read-json.ts';

/** Reads the record of a load run. Rejects with UserError when there is none. */
export async function readLoadRecord(path: string): Promise<LoadRecord> {
  return parsedFile(loadRecordSchema, await readJson(path), path, 'record of a load run');
}
