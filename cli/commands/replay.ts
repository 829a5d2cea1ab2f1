import type { Command } from '@commander-js/extra-typings';
import type { Check } from '../../engine/check.ts';
import { shown } from '../../core/text.ts';
import { nearest } from '../../core/names/nearest.ts';
import type { CheckRecord, CheckVerdict, RunRecord } from '../../reports/record/record.ts';
import { finding } from '../../reports/run/terminal-findings.ts';
import { painter } from '../../reports/text/paint.ts';
import { isOwn } from '../../engine/own-check.ts';
import { whyNotReproduced } from '../replay/not-reproduced.ts';
import { readSuites } from '../run/read-suites.ts';
import { selectChecks } from '../../suites/plan.ts';
import { openSession } from '../../suites/run/open-session.ts';
import { runSuite } from '../../suites/run/run-suite.ts';
import { type Context, wantsColor } from '../shared/context.ts';
import { deploymentOf } from '../run/deployment-of.ts';
import { openForUser } from '../run/look-at.ts';
import { readRecord } from '../shared/read-record.ts';
import { UserError } from '../shared/user-error.ts';
import type { DeploymentPlan } from '../../targets/open-deployment.ts';
import { unlessInterrupted, withHooks } from '../hooks/with-hooks.ts';

const exitCodes: Readonly<Record<CheckVerdict, number>> = { passed: 0, warned: 0, failed: 1, blocked: 4, errored: 4 };

const still: Readonly<Record<CheckVerdict, string>> = {
  passed: 'Still passes',
  warned: 'Still a warning',
  failed: 'Still fails',
  blocked: 'Still blocked',
  errored: 'Still no verdict',
};

/** `awc replay REPORT CHECK`: one check of a report again, with the same seed and counterexample. */
export function configure(command: Command, context: Context): void {
  command
    .argument('<report>', 'a report.json')
    .argument('<check>', 'the id of a check in the report')
    .option('--target <file>', 'the target file; required unless the report is about the embedded reference')
    .option('--suites <dir>', 'the folder of your own checks; required to replay one of them')
    .action(async (path, id, { target, suites: folder }) => {
      const record = await readRecord(path);
      const before = record.checks.find((check) => check.id === id) ?? noSuchCheck(id, record);
      const all = await readSuites(folder);
      const again = checkOf(before, all);
      // What a check tries may depend on the other checks of the run.
      const chosen = selectChecks(all, record.only);
      const check = await withHooks(deploymentAgain(record, target), undefined, context, (plan) =>
        unlessInterrupted(plan.signal, judgeAgain(record, { again, chosen }, before, plan.deployment)),
      );
      const text = finding(check, record.requirements, painter(wantsColor(context.out)));
      const isViolated = before.verdict === 'failed' || before.verdict === 'warned';
      const unclear = isViolated && check.verdict === 'passed' ? whyNotReproduced(again, before, record) : undefined;
      context.out.write(`${text}\n\n${shown(changeText(before, check, unclear), 1000)}.\n`);
      context.end(endCode(check, unclear));
    });
}

function changeText(before: CheckRecord, { verdict }: CheckRecord, unclear: string | undefined): string {
  if (unclear !== undefined) return `Not reproduced: was ${before.verdict}, and passed now, but ${unclear}`;
  return verdict === before.verdict ? still[verdict] : `Was ${before.verdict}, now ${verdict}`;
}

/** A pass that shows nothing is no verdict. */
function endCode({ verdict, fault }: CheckRecord, unclear: string | undefined): number {
  if (fault === 'suite') return 5;
  return unclear === undefined ? exitCodes[verdict] : 4;
}

function checkOf({ id }: CheckRecord, all: readonly Check<string>[]): Check<string> {
  const check = all.find((candidate) => candidate.id === id);
  if (check !== undefined) return check;
  throw new UserError(
    isOwn(id)
      ? `${id} is one of your own checks: name its folder with --suites.`
      : `this version of the suite has no check ${id}.`,
  );
}

/** A check of the last phase judges the answers that other checks got, so the other selected checks run before it. */
async function judgeAgain(
  record: RunRecord,
  { again, chosen }: { readonly again: Check<string>; readonly chosen: readonly Check<string>[] },
  before: CheckRecord,
  deployment: DeploymentPlan,
): Promise<CheckRecord> {
  const { seed, strict } = record;
  const opened = await openForUser({ deployment, seed });
  try {
    const earlier = again.phase === 'last' ? chosen.filter(({ phase }) => phase !== 'last') : [];
    const { checks } = await runSuite(openSession({ ...opened, seed }, chosen), [...earlier, again], {
      strict,
      replayPathOf: ({ id }) => (id === again.id ? before.counterexample?.path : undefined),
    });
    return checks.find(({ id }) => id === again.id) ?? noSuchCheck(again.id, record);
  } finally {
    opened.close();
  }
}

function deploymentAgain({ target: { embedded, baseUrl } }: RunRecord, path: string | undefined): DeploymentPlan {
  if (path !== undefined) return deploymentOf(path);
  if (embedded !== undefined) return deploymentOf(undefined, embedded.faults, embedded.choices);
  throw new UserError(`the report is about ${baseUrl}: name its target file with --target.`);
}

function noSuchCheck(id: string, { checks }: RunRecord): never {
  const near = nearest(
    id.slice(0, 100),
    checks.map((check) => check.id),
  );
  throw new UserError(`the report has no check "${id}". The nearest: ${near.join(', ')}.`);
}
