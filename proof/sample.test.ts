import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { killersText, matrixText } from './matrix-text.ts';
import { prove } from './prove.ts';

/** Legal deployments in every `npm test`; `awc proof` draws a thousand. */
const sample = 150;

test('every fault is killed by those who kill it in the committed matrix, and a sample of legal deployments is not accused', async () => {
  const workers = availableParallelism();
  const proof = await prove({
    seed: 1,
    against: 'its own checks',
    cases: sample,
    crossings: 0,
    workers,
    progress: () => {},
  });
  expect(proof.gaps).toEqual([]);
  expect(proof.alarms).toEqual([]);
  expect(proof.deployments).toBe(sample);
  const committed = await readFile(new URL('./kill-matrix.txt', import.meta.url), 'utf8');
  const killers = killersText(matrixText(proof.matrix));
  expect(killers, 'npm run awc -- proof --out proof writes it anew').toEqual(killersText(committed));
}, 900_000);
