import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkRegistry } from '../../registry/check-registry.ts';
import { createSite } from '../../registry/site/site.ts';
import type { SiteFile } from '../../registry/site/frame.ts';
import type { Calendar } from '../../registry/validity.ts';
import type { Context } from '../shared/context.ts';
import { UserError } from '../shared/user-error.ts';
import { cannotWrite, makeFolder } from '../shared/write-whole.ts';
import { problemText, published } from './check-and-report.ts';
import { readRegistry } from './read-registry.ts';

type Today = { readonly calendar: Calendar; readonly now: number };

/** Judges a registry, writes a site of what is not refused, and returns the exit code: 1 if something is refused. */
export async function buildAndReport(
  folder: string,
  out: string,
  context: Pick<Context, 'out'>,
  { calendar, now }: Today = { calendar: published, now: Date.now() },
): Promise<number> {
  await makeFolder(out);
  if ((await readdir(out)).length > 0) throw new UserError(`${out} is not empty: name a new folder for the site.`);
  const files = await readRegistry(folder, () => Promise.resolve(undefined));
  const site = createSite(now);
  let count = 0;
  const problems = await checkRegistry(files, {
    change: undefined,
    calendar,
    now,
    wantsEvidence: true,
    async onCertified(certified) {
      count += 1;
      await writePages(out, site.add(certified));
    },
  });
  await writePages(out, site.end());
  context.out.write(problems.map(problemText).join(''));
  const left = problems.length === 0 ? '' : `; ${problems.length} left out`;
  context.out.write(`${join(out, 'index.html')} shows ${count} certificates${left}.\n`);
  return problems.length === 0 ? 0 : 1;
}

async function writePages(out: string, pages: readonly SiteFile[]): Promise<void> {
  for (const { path, text } of pages) {
    const place = join(out, decodeURIComponent(path));
    await makeFolder(dirname(place));
    await writeFile(place, text).catch((error: unknown) => {
      throw cannotWrite(place, error);
    });
  }
}
