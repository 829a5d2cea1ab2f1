import { createHash } from 'node:crypto';
import { availableParallelism, constants, setPriority } from 'node:os';
import { expect, test } from 'vitest';
import { faults } from '../reference/faults/faults.ts';
import { committedMatrix, committedRows } from '../testing/committed-matrix.ts';
import { gaps } from './kill.ts';
import { matrixText } from './matrix-text.ts';
import { prove } from './prove.ts';
import { foundText } from './summary.ts';
import { tooLong } from './time-limit.ts';

/** Legal deployments; `awc proof` draws a thousand. */
const legal = 25;

/** One of so many faults is tried on all checks. Which ones changes whenever the matrix does, so that over time all are. */
const share = 16;
const [first = 0] = createHash('sha256').update(committedMatrix).digest();
const whole = new Set(faults.filter((_, index) => index % share === first % share).map(({ name }) => name));

// It only computes, so it gets the processor time that tests beside it leave while they wait. Only once it runs: vitest waits
// for the start of a process for a minute at most.
setPriority(constants.priority.PRIORITY_LOW);

test('every fault is killed, a sample of them as the committed matrix says, and no legal deployment is accused', async () => {
  const proof = await prove({
    seed: 1,
    cases: legal,
    crossings: 0,
    isWhole: (fault) => whole.has(fault),
    workers: availableParallelism(),
    progress: () => {},
    found: (alarm) => process.stderr.write(foundText(alarm)),
  });
  expect(proof.matrix.filter(({ killers }) => killers.length === 0)).toEqual([]);
  expect(proof.alarms).toEqual([]);
  expect(proof.deployments).toBe(legal);
  expect(tooLong(proof.runs)).toEqual([]);
  const known = new Set(committedMatrix.split('\n'));
  const tried = proof.matrix.filter(({ fault }) => whole.has(fault));
  expect(tried.length).toBeGreaterThan(committedRows.length / (2 * share));
  const unknown = matrixText(tried)
    .split('\n')
    .filter((line) => !known.has(line));
  expect(unknown, 'npm run awc -- proof --out proof writes it anew').toEqual([]);
}, 900_000);

test('the committed matrix has a row of each fault, each check in it catches one, and each must has two', () => {
  const named = (rows: readonly { readonly fault: string; readonly breaks: string }[]) =>
    rows.map(({ fault, breaks }) => `${fault} > ${breaks}`).toSorted();
  expect(named(committedRows)).toEqual(named(faults.map(({ name, breaks }) => ({ fault: name, breaks }))));
  expect(gaps(committedRows)).toEqual([]);
});
