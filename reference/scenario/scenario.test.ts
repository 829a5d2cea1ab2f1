import { expect, test } from 'vitest';
import { choices } from '../choices/choices.ts';
import { scenario } from './scenario.ts';

const truth = await scenario({ seed: 7 });

test('The same seed gives the same bytes', async () => {
  expect(await scenario({ seed: 7 })).toEqual(truth);
});

test('Another seed gives other ones', async () => {
  expect(await scenario({ seed: 8 })).not.toEqual(truth);
});

/** Choices that look like the default to a caller that is alone in the organization. Nodes that agree look like one. */
const unseen = ['key-scope=chat', 'entry-points=two'];

const freedoms = choices.flatMap(({ axis, values, default: own }) =>
  Object.keys(values)
    .filter((value) => value !== own)
    .map((value) => [axis, value] as const),
);

test.each(freedoms)('%s=%s is accepted, and shows', async (axis, value) => {
  const said = await scenario({ seed: 7, choices: { [axis]: value } }, truth);
  if (unseen.includes(`${axis}=${value}`)) expect(said).toEqual(truth);
  else expect(said).not.toEqual(truth);
});
