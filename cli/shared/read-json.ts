import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { UserError } from './user-error.ts';

/** The JSON in a file. Rejects with UserError when there is none. */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const isFolder = error instanceof Error && 'code' in error && error.code === 'EISDIR';
    throw new UserError(
      isFolder
        ? `${path} is a folder: name the report.json or load.json in it.`
        : `${path} is not there, or is no JSON.`,
    );
  }
}

/** What a file holds, if the schema has it; `name` continues "… is no". Throws UserError otherwise. */
export function parsedFile<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
  path: string,
  name: string,
): z.infer<Schema> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(`${path} is no ${name}: ${issue?.path.join('.')}: ${issue?.message}.`);
}
