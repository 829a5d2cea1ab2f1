import { expect, test } from 'vitest';
import { check } from '../engine/check.ts';
import { Violation } from '../engine/verdict.ts';
import { faults } from '../reference/faults/faults.ts';
import { suites } from '../suites/index.ts';
import { accusations } from './accusations.ts';
import { gaps, killRow } from './kill.ts';
import { foundText } from './summary.ts';
import { type FalseAlarm, sweep } from './sweep.ts';
import { runTrial } from './trial.ts';

const paging = suites.filter(({ requirement }) => requirement.startsWith('paging.'));
/** A few: the kill matrix tries all of them. */
const walks = faults.filter(({ breaks }) => breaks === 'paging.walk').slice(0, 3);
const blind = paging.map((each) => (each.requirement === 'paging.walk' ? { ...each, run: async () => {} } : each));

test('the suite is silent on the reference itself: nothing violated, nothing blocked', async () => {
  expect(await runTrial({ seed: 1, faults: [], choices: {} })).toEqual([]);
});

test('the same trial gives the same findings', async () => {
  const trial = { seed: 7, faults: ['only-issued-cursors'], choices: { assistant: 'minutes' } };
  expect(await runTrial(trial)).toEqual(await runTrial(trial));
});

test('a check that cannot fail is caught: its faults survive, and it catches nothing', async () => {
  expect(walks.length).toBeGreaterThanOrEqual(2);
  const seeing = await Promise.all(walks.map((fault) => killRow(fault, 1, paging)));
  const unseeing = await Promise.all(walks.map((fault) => killRow(fault, 1, blind)));
  expect(seeing.filter(({ killers }) => killers.length === 0)).toEqual([]);
  const found = gaps(unseeing, blind);
  for (const { name } of walks) expect(found.some((gap) => gap.startsWith(`fault ${name} survives`))).toBe(true);
  expect(found).toContain('check paging.walk/listModels catches no fault');
});

test('a violation of a neighbour is no kill', async () => {
  const [fault] = walks;
  if (fault === undefined) throw new Error('no fault breaks paging.walk');
  const row = await killRow(
    fault,
    1,
    paging.filter(({ requirement }) => requirement !== 'paging.walk'),
  );
  expect(row.killers).toEqual([]);
});

test('a check that accuses a legal deployment is caught, named at once, and shrunk to the choice that it accuses', async () => {
  const alarmist = check('errors.body', async (api) => {
    const { idempotencyHeader } = api.session.target;
    if (idempotencyHeader !== 'idempotency-key') throw new Violation('the usual header', `${idempotencyHeader}`);
  });
  const found: FalseAlarm[] = [];
  const { alarm } = await sweep(1, 60, (one) => void found.push(one), [alarmist]);
  expect(Object.keys(alarm?.trial.choices ?? {})).toHaveLength(1);
  expect(alarm?.accused.suite.map(({ check: id }) => id)).toEqual(['errors.body']);
  expect(found).toHaveLength(1);
  expect(Object.keys(found[0]?.trial.choices ?? {}).length).toBeGreaterThan(1);
  expect(found.map(foundText).join()).toMatch(
    /awc proof --seed \d+ .*--choice key-header=.*\n +suite: errors\.body failed/,
  );
});

test('errored is an accusation, and blocked is one unless a choice accounts for it', () => {
  const finding = { check: 'paging.limit-cap/listModels', requirement: 'paging.limit-cap', text: '' } as const;
  expect(accusations([{ ...finding, kind: 'errored' }], {})).toHaveLength(1);
  expect(accusations([{ ...finding, kind: 'blocked' }], {})).toHaveLength(1);
  expect(accusations([{ ...finding, kind: 'blocked' }], { models: '0' })).toHaveLength(0);
});
