import { expect, test } from 'vitest';
import type { Deployment } from '../core/http.ts';
import { suites } from '../suites/index.ts';
import { runTrial, type Trial, type TrialOptions } from './trial.ts';

/** Answers 500 instead of any refusal of a limit. */
const limitsBreak =
  (deployment: Deployment): Deployment =>
  async (request) => {
    const answer = await deployment(request);
    return request.path.includes('limit=') && answer.status === 400 ? { ...answer, status: 500 } : answer;
  };

test.each<[string, string, string, Partial<Trial> & TrialOptions]>([
  ['a wrong limit that breaks the deployment', 'paging.limit-refused/listModels', 'got 500', { through: limitsBreak }],
  [
    'a denied deletion that marks the data source',
    'access.denied-no-effect/deleteDataSource',
    'not marked as deleted',
    { faults: ['denied-deletion-happens'], choices: { 'deleted-sources': 'deleted-at' } },
  ],
  [
    'a denied deletion that removes the data source',
    'access.denied-no-effect/deleteDataSource',
    'still listed',
    { faults: ['denied-deletion-happens'] },
  ],
])('%s is found by %s: %s', async (_what, id, text, { faults = [], choices = {}, ...options }) => {
  const checks = suites.filter((check) => check.id === id);
  const findings = await runTrial({ seed: 1, faults, choices }, { ...options, checks });
  expect(findings).toMatchObject([
    { kind: expect.stringMatching(/^(?:failed|warned)$/), text: expect.stringContaining(text) },
  ]);
});
