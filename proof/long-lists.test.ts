import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { maxWalkItems } from '../stage/lists/walk.ts';
import { runChecks } from '../testing/run-checks.ts';
import { createSession } from '../engine/session/session.ts';
import { createWorldData } from '../reference/data/create-world-data.ts';
import { defaultDataOptions } from '../reference/data/options.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { invariants } from '../suites/errors/invariants.ts';

const listOperations: ReadonlySet<string> = new Set(['listModels', 'listDataSources', 'deleteDataSource']);

test('lists that are longer than what is read of them cause no failed and no blocked check', async () => {
  const clock = virtualClock();
  const data = createWorldData(1, { ...defaultDataOptions, models: maxWalkItems + 350, sources: maxWalkItems + 1 });
  const { deployment, target, outages } = createReference({ clock, seed: 1, like: { data, rules: {} } });
  const session = createSession({ deployment, target, clock, seed: 1, invariants, outages });
  const own = suites.filter(({ operation, phase }) => listOperations.has(operation) && phase !== 'rateLimit');
  const judged = await runChecks(own, session);
  expect(judged.length).toBeGreaterThan(80);
  expect(judged.filter(({ verdict }) => verdict.kind !== 'passed')).toEqual([]);
});
