import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { matrixText } from './matrix-text.ts';
import { prove } from './prove.ts';
import { foundText } from './summary.ts';
import { tooLong } from './time-limit.ts';

/** Legal deployments; `awc proof` draws a thousand. */
const legal = 100;

test('every fault is killed as the committed matrix says, what falls with it falls, and no legal deployment is accused', async () => {
  const workers = availableParallelism();
  const proof = await prove({
    seed: 1,
    cases: legal,
    crossings: 0,
    workers,
    progress: () => {},
    found: (alarm) => process.stderr.write(foundText(alarm)),
  });
  expect(proof.gaps).toEqual([]);
  expect(proof.alarms).toEqual([]);
  expect(proof.deployments).toBe(legal);
  expect(tooLong(proof.runs)).toEqual([]);
  const committed = await readFile(new URL('./kill-matrix.txt', import.meta.url), 'utf8');
  expect(matrixText(proof.matrix), 'npm run awc -- proof --out proof writes it anew').toBe(committed);
}, 900_000);
