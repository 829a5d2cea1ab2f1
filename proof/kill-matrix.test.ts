import { availableParallelism, constants, setPriority } from 'node:os';
import { expect, test } from 'vitest';
import { committedMatrix, committedRows } from '../testing/committed-matrix.ts';
import { matrixText } from './matrix-text.ts';
import { prove } from './prove.ts';
import { foundText } from './summary.ts';
import { tooLong } from './time-limit.ts';

/** Legal deployments; `awc proof` draws a thousand. */
const legal = 50;

// It only computes, so it gets the processor time that tests beside it leave while they wait. Only once it runs: vitest waits
// for the start of a process for a minute at most.
setPriority(constants.priority.PRIORITY_LOW);

test('every fault is killed as the committed matrix says, what falls with it falls, and no legal deployment is accused', async () => {
  const workers = availableParallelism();
  const proof = await prove({
    seed: 1,
    cases: legal,
    crossings: 0,
    known: committedRows,
    workers,
    progress: () => {},
    found: (alarm) => process.stderr.write(foundText(alarm)),
  });
  expect(proof.gaps).toEqual([]);
  expect(proof.alarms).toEqual([]);
  expect(proof.deployments).toBe(legal);
  expect(tooLong(proof.runs)).toEqual([]);
  expect(matrixText(proof.matrix), 'npm run awc -- proof --out proof writes it anew').toBe(committedMatrix);
}, 900_000);
