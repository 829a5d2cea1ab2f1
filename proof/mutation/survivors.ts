import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Mutant } from './instrument.ts';

const survivorSchema = z.strictObject({
  file: z.string(),
  source: z.string(),
  original: z.string(),
  replacement: z.string(),
  reason: z.string(),
});

type Survivor = z.infer<typeof survivorSchema>;

/** Mutants that no test can or should find. */
const survivors: readonly Survivor[] = z
  .array(survivorSchema)
  .parse(parse(readFileSync(new URL('survivors.yaml', import.meta.url), 'utf8')));

const reasons = new Map(survivors.map((survivor) => [nameOf(survivor), survivor.reason]));

/** Why the survival of a mutant is right; undefined if it is not known to be. */
export function reasonOf(mutant: Mutant): string | undefined {
  return reasons.get(nameOf(mutant));
}

/** Entries that name no mutant of the code any more. */
export function outdated(mutants: readonly Mutant[]): readonly Survivor[] {
  const names = new Set(mutants.map(nameOf));
  return survivors.filter((one) => !names.has(nameOf(one)));
}

function nameOf({
  file,
  source,
  original,
  replacement,
}: Pick<Mutant, 'file' | 'source' | 'original' | 'replacement'>): string {
  return JSON.stringify([file, source, original, replacement]);
}
