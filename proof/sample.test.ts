import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { killersText, matrixText } from './matrix-text.ts';
import { prove } from './prove.ts';

/** What is looked at again at the end of a run sees what other checks did meanwhile: `npm run matrix` holds that. */
function withoutLast(killers: readonly string[]): readonly string[] {
  return killers.map((line) => line.replaceAll(/ \S*at-last(?= |$)/g, ''));
}

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
  const killers = withoutLast(killersText(matrixText(proof.matrix)));
  const expected = withoutLast(killersText(committed));
  expect(killers, 'npm run awc -- proof --out proof writes it anew').toEqual(expected);
}, 900_000);
