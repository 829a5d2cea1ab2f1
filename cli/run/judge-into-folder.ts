import { join } from 'node:path';
import { renderJunit } from '../../reports/run/junit.ts';
import type { RunRecord } from '../../reports/record/record.ts';
import { safeJson } from '../../reports/text/safe-json.ts';
import type { DeploymentPlan } from '../../targets/open-deployment.ts';
import type { Context } from '../shared/context.ts';
import { judgeDeployment, type Judging } from './judge-deployment.ts';
import { withHooks } from '../hooks/with-hooks.ts';
import { writeWhole } from '../shared/write-whole.ts';

/**
 * Judges a deployment between its setup and its teardown, and writes what every run leaves in its folder, if it has one:
 * before the teardown, so that nothing of that can lose it.
 */
export async function judgeIntoFolder(
  deployment: DeploymentPlan,
  folder: string | undefined,
  judging: Judging,
  context: Context,
): Promise<RunRecord> {
  return withHooks(deployment, folder, context, async (plan) => {
    const record = await judgeDeployment(plan, judging, context);
    if (folder === undefined) return record;
    await writeWhole(join(folder, 'report.json'), safeJson(record));
    await writeWhole(join(folder, 'junit.xml'), renderJunit(record));
    return record;
  });
}
