import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { errorCode } from '../../core/error-code.ts';
import {
  comparisonRecordFormat,
  comparisonRecordSchema,
  type ComparisonRecord,
} from '../../reports/load/comparison-record.ts';
import { type LoadRecord, loadRecordFormat, loadRecordSchema } from '../../reports/load/load-record.ts';
import { type RunRecord, recordSchema } from '../../reports/record/record.ts';
import { UserError } from './user-error.ts';

export type AnyRecord =
  | { readonly kind: 'run'; readonly record: RunRecord }
  | { readonly kind: 'load'; readonly record: LoadRecord }
  | { readonly kind: 'comparison'; readonly record: ComparisonRecord };

const markSchema = z.object({ format: z.enum([loadRecordFormat, comparisonRecordFormat]) });

/** Reads the report of a run, the record of a load run, or of a comparison. Rejects with UserError if the file is none. */
export async function readAnyRecord(path: string): Promise<AnyRecord> {
  const json = await readJson(path);
  switch (markSchema.safeParse(json).data?.format) {
    case loadRecordFormat:
      return { kind: 'load', record: loadRecordOf(json, path) };
    case comparisonRecordFormat:
      return { kind: 'comparison', record: parsed(comparisonRecordSchema, json, `${path} is not a comparison`) };
    case undefined:
      return { kind: 'run', record: runRecordOf(json, path) };
  }
}

/** Reads the report of a run. Rejects with UserError if the file is none. */
export async function readRecord(path: string): Promise<RunRecord> {
  return runRecordOf(await readJson(path), path);
}

/** Reads the record of a load run. Rejects with UserError if the file is none. */
export async function readLoadRecord(path: string): Promise<LoadRecord> {
  return loadRecordOf(await readJson(path), path);
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const isFolder = errorCode(error) === 'EISDIR';
    throw new UserError(
      isFolder
        ? `${path} is a folder: name the report.json, load.json or comparison.json in it.`
        : `${path} does not exist or is not JSON.`,
    );
  }
}

function runRecordOf(json: unknown, path: string): RunRecord {
  return parsed(recordSchema, json, `${path} is not a report of this suite`);
}

function loadRecordOf(json: unknown, path: string): LoadRecord {
  return parsed(loadRecordSchema, json, `${path} is not a load record`);
}

function parsed<Schema extends z.ZodType>(schema: Schema, json: unknown, problem: string): z.infer<Schema> {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UserError(`${problem}: ${issue?.path.join('.')}: ${issue?.message}.`);
}
