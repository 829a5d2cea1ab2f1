import { z } from 'zod';
import { type LoadRecord, loadRecordFormat, loadRecordSchema } from '../../reports/load/load-record.ts';
import { type RunRecord, recordSchema } from '../../reports/record/record.ts';
import { parsedFile, readJson } from './read-json.ts';

export type AnyRecord =
  { readonly kind: 'run'; readonly record: RunRecord } | { readonly kind: 'load'; readonly record: LoadRecord };

const loadMark = z.object({ format: z.literal(loadRecordFormat) });

/** The report in a file, of a conformance run or of a load, as its own field says. Rejects with UserError when it is none. */
export async function readAnyRecord(path: string): Promise<AnyRecord> {
  const json = await readJson(path);
  return loadMark.safeParse(json).success
    ? { kind: 'load', record: parsedFile(loadRecordSchema, json, path, 'record of a load run') }
    : { kind: 'run', record: parsedFile(recordSchema, json, path, 'report of this suite') };
}
