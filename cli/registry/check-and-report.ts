import { checkRegistry, type Problem } from '../../registry/check-registry.ts';
import type { Certified } from '../../registry/judge-submission.ts';
import { pathOf } from '../../registry/submission.ts';
import { type Calendar, isValid } from '../../registry/validity.ts';
import { shown } from '../../core/text.ts';
import { releases } from '../../spec/releases.ts';
import { revisions } from '../../spec/revisions/revisions.ts';
import type { Context } from '../shared/context.ts';
import { gitChange } from './git-change.ts';
import { readRegistry } from './read-registry.ts';

/** What is published today. */
export const published: Calendar = {
  releases,
  revisions: new Map([...revisions].map(([number, revision]) => [number, revision.published])),
};

/** Checks a registry, or what changed since `base`, shows the result, and returns the exit code. */
export async function checkAndReport(
  folder: string,
  base: string | undefined,
  { out }: Pick<Context, 'out'>,
): Promise<number> {
  const since = base === undefined ? undefined : await gitChange(folder, base);
  const files = await readRegistry(folder, since?.vendorBefore ?? (() => Promise.resolve(undefined)));
  const now = Date.now();
  let [judged, unjudged] = [0, 0];
  const problems = await checkRegistry(files, {
    change: since?.change,
    calendar: published,
    now,
    wantsEvidence: false,
    onCertified(certified) {
      if (certified.isJudged) judged += 1;
      else unjudged += 1;
      out.write(certifiedLine(certified, now));
    },
  });
  out.write(problems.map(problemText).join(''));
  const amounts = [
    `${judged} judged again`,
    ...(unjudged > 0 ? [`${unjudged} only by other versions of the suite`] : []),
  ];
  out.write(`${problems.length === 0 ? 'Accepted' : 'Refused'}: ${amounts.join(', ')}, ${problems.length} refused.\n`);
  if (problems.length > 0) return 1;
  return unjudged > 0 ? 4 : 0;
}

function certifiedLine({ place, run, isJudged, expires }: Certified, now: number): string {
  const suite = shown(run.suite.version, 40);
  const facts = [
    `revision ${run.revision.number}`,
    isJudged ? 'judged again' : `signed and whole; awc ${suite} can judge it again`,
    expires === undefined ? 'valid' : `${isValid(expires, now) ? 'valid until' : 'EXPIRED on'} ${expires}`,
  ];
  return `ok       ${pathOf(place)}: ${facts.join(', ')}\n`;
}

/** Each problem with its reasons, for the command line. */
export function problemText({ path, reasons }: Problem): string {
  const lines = reasons.map((reason) => `         ${shown(reason, 600)}\n`);
  return `refused  ${path === '' ? 'the registry' : path}\n${lines.join('')}`;
}
