import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { matrixText } from './matrix-text.ts';
import { prove } from './prove.ts';

test('every fault is killed as the committed matrix says, and what falls with it falls', async () => {
  const workers = availableParallelism();
  const proof = await prove({
    seed: 1,
    against: 'all checks',
    cases: 0,
    crossings: 0,
    workers,
    progress: () => {},
  });
  expect(proof.gaps).toEqual([]);
  const committed = await readFile(new URL('./kill-matrix.txt', import.meta.url), 'utf8');
  expect(matrixText(proof.matrix), 'npm run awc -- proof --out proof writes it anew').toBe(committed);
}, 900_000);
