import { availableParallelism, constants, setPriority } from 'node:os';
import { expect, test } from 'vitest';
import { faults } from '../reference/faults/faults.ts';
import { committedMatrix } from '../testing/committed-matrix.ts';
import { doJobs } from './do-jobs.ts';
import type { Job } from './jobs.ts';
import { matrixText } from './matrix-text.ts';
import { sweepBatch, sweepSeed } from './prove.ts';

/** Every sixteenth fault, spread over all areas; `npm run matrix` tries all of them. */
const sample = faults.filter((_, index) => index % 16 === 0);

// It only computes, so it gets the processor time that tests beside it leave while they wait. Only once it runs: vitest waits
// for the start of a process for a minute at most.
setPriority(constants.priority.PRIORITY_LOW);

test('a sample of faults is killed as the committed matrix says, and a sample of legal deployments is not accused', async () => {
  const jobs: readonly Job[] = [
    { kind: 'sweep', seed: sweepSeed(1, 0), cases: sweepBatch },
    ...sample.map(({ name }): Job => ({ kind: 'kill', fault: name, seed: 1, against: 'all checks' })),
  ];
  const results = await doJobs(jobs, availableParallelism());
  const sweeps = results.flatMap((one) => (one.kind === 'sweep' ? [one.result] : []));
  expect(sweeps).toMatchObject([{ deployments: sweepBatch, alarm: undefined }]);
  const rows = results.flatMap((one) => (one.kind === 'kill' ? [one.row] : []));
  expect(rows).toHaveLength(sample.length);
  const known = new Set(committedMatrix.split('\n'));
  const unknown = matrixText(rows)
    .split('\n')
    .filter((line) => !known.has(line));
  expect(unknown, 'npm run awc -- proof --out proof writes it anew').toEqual([]);
}, 900_000);
