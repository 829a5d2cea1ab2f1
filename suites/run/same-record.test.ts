import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { run } from '../../embed/run.ts';
import { createReference } from '../../reference/reference.ts';
import { targetFile } from '../../reference/target-file.ts';
import { type RunRecord, recordSchema } from '../../reports/record/record.ts';
import { parseTarget } from '../../targets/target-file.ts';
import { awc, temporaryFolder } from '../../testing/try-awc.ts';
import { certifyReference, newKey } from '../../testing/try-bundle.ts';
import { recordOfReference } from '../../testing/try-record.ts';

const deployment = { faults: ['later-pages-short', 'attach-again-counts'], choices: { timestamps: 'uneven' } };

/** What a run found, without what differs from one run to the next: times, and the keys that hold them. */
function findings({ checks, requirements, result, summary, usedUp, observations }: RunRecord) {
  return {
    checks: checks.map(({ id, verdict, reason, expected, actual }) => ({ id, verdict, reason, expected, actual })),
    requirements,
    result,
    summary,
    deletions: usedUp?.deletions.map(({ dataSourceId }) => dataSourceId).toSorted(),
    attachments: usedUp?.attachments.map(({ organizationId }) => organizationId).toSorted(),
    observed: [...new Set(observations.map(({ point }) => point))].toSorted(),
  };
}

async function byCommand(): Promise<RunRecord> {
  const out = await temporaryFolder();
  const faults = deployment.faults.flatMap((fault) => ['--fault', fault]);
  await awc('run', '--seed', '1', ...faults, '--choice', 'timestamps=uneven', '--out', out);
  return recordSchema.parse(JSON.parse(await readFile(join(out, 'report.json'), 'utf8')));
}

async function embedded(): Promise<RunRecord> {
  const clock = virtualClock();
  const reference = createReference({ clock, seed: 1, ...deployment });
  const target = parseTarget(targetFile(reference.target), 'reference.yaml', {}).raw;
  // As fast as the command sends to what is embedded: a target file has a limit even where it names none.
  const limits = { ...target.limits, maxRequestsPerSecond: 1000 };
  return run({ ...target, limits }, { ...reference, clock, seed: 1 });
}

test('one deployment and seed give one record, however the suite is run', async () => {
  const records = {
    command: await byCommand(),
    embedded: await embedded(),
    certificate: (await certifyReference(newKey(), deployment)).record,
    test: await recordOfReference(deployment),
  };
  const expected = findings(records.command);
  expect(expected.result).toBe('nonconformant');
  expect(findings(records.embedded)).toEqual(expected);
  expect(findings(records.test)).toEqual(expected);
  const certified = findings(records.certificate);
  const scored = new Set(certified.checks.map(({ id }) => id));
  expect(scored.size).toBeGreaterThan(250);
  expect(certified.checks).toEqual(expected.checks.filter(({ id }) => scored.has(id)));
  expect(certified.deletions).toEqual(expected.deletions);
  expect(certified.attachments).toEqual(expected.attachments);
});
