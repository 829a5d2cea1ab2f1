import { z } from 'zod';

/** A schema that many values are held against. It is compiled at first use: each start of a command would wait for that. */
export function compiled<T extends z.core.$ZodType>(schema: T): () => T {
  let made: T | undefined;
  return () => (made ??= z.compile(schema));
}
