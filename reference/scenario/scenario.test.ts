import { expect, test } from 'vitest';
import { choices } from '../choices/choices.ts';
import { faults } from '../faults/faults.ts';
import { scenario } from './scenario.ts';

const truth = await scenario({ seed: 7 });

test('The same seed gives the same bytes', async () => {
  expect(await scenario({ seed: 7 })).toEqual(truth);
});

test('Another seed gives other ones', async () => {
  expect(await scenario({ seed: 8 })).not.toEqual(truth);
});

test.each(faults.map(({ name, sentence }) => [name, sentence]))('%s shows: %s', async (name) => {
  expect(await scenario({ seed: 7, faults: [name] })).not.toEqual(truth);
});

/** What this caller, being alone in the organization, cannot tell from the default. */
const unseen = ['key-scope=chat'];

const freedoms = choices.flatMap(({ axis, values, default: own }) =>
  Object.keys(values).map((value) => ({ axis, value, own: value === own })),
);

test.each(freedoms)('$axis=$value is accepted, and shows unless it is the default', async ({ axis, value, own }) => {
  const said = await scenario({ seed: 7, choices: { [axis]: value } });
  if (own || unseen.includes(`${axis}=${value}`)) expect(said).toEqual(truth);
  else expect(said).not.toEqual(truth);
});
