import { z } from 'zod';
import { jsonIn } from '../../core/json.ts';
import { pathOf } from '../../registry/submission.ts';
import { isVersion } from '../../registry/names.ts';
import type { Context } from '../shared/context.ts';
import { UserError } from '../shared/user-error.ts';
import { gitChange } from './git-change.ts';
import { readRegistry } from './read-registry.ts';

const runSchema = z.object({ suite: z.object({ version: z.string().refine(isVersion) }) });

/** Prints the version of the suite that judged the submissions changed since `base`; nothing if no submission was added. */
export async function printSuiteVersion(folder: string, base: string, { out }: Pick<Context, 'out'>): Promise<number> {
  const { change, vendorBefore } = await gitChange(folder, base);
  const { readSubmission } = await readRegistry(folder, vendorBefore);
  const versions = new Set<string>();
  for (const place of change.added.slice(0, maxPlaces)) {
    const { bundle } = await readSubmission(place);
    const run = runSchema.safeParse(jsonIn(Buffer.from(bundle.get('run.json') ?? []).toString('utf8')));
    if (!run.success) throw new UserError(`${pathOf(place)} does not say which version of the suite judged it.`);
    versions.add(run.data.suite.version);
  }
  if (versions.size > 1)
    throw new UserError('different versions of the suite judged the submissions: send one change for each.');
  out.write([...versions].map((version) => `${version}\n`).join(''));
  return 0;
}

/** The most submissions of one change to look at. */
const maxPlaces = 50;
