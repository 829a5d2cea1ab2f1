import { expect, test } from 'vitest';
import { shapeLines } from './shape-lines.ts';
import { loadProfile } from '../profile/profile-file.ts';

const shapeOf = (name: string) => {
  const { curve } = loadProfile(name, {}).load;
  return curve === undefined ? undefined : `\n${shapeLines(curve).join('\n')}\n`;
};

test('a ramp and a spike are drawn with their highest rate and their length', () => {
  expect(shapeOf('ramp')).toMatchInlineSnapshot(`
    "
    100/s │                            ▁▂▃▄▅▆▇██████████████▅▂
          │                    ▁▂▃▄▅▆▇████████████████████████▇▄▁
          │            ▁▂▃▄▅▆▇███████████████████████████████████▆▃
          │    ▁▂▃▄▅▆▇██████████████████████████████████████████████▅▂
          │▅▆▇████████████████████████████████████████████████████████▇
          └0 s                                                     50 s
    "
  `);
  expect(shapeOf('spike')).toMatchInlineSnapshot(`
    "
    100/s │                    ██████████
          │                    ██████████
          │                    ██████████
          │                    ██████████
          │▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄██████████▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
          └0 s                                                     30 s
    "
  `);
});

test('a jump that is shorter than a column shows, and so does the lowest rate', () => {
  const hour = 3_600_000;
  const lines = shapeLines({
    ratePerSecond: 1,
    stages: [
      { ratePerSecond: 1, overMs: hour },
      { ratePerSecond: 1000, overMs: 0 },
      { ratePerSecond: 1000, overMs: 1 },
      { ratePerSecond: 1, overMs: 0 },
      { ratePerSecond: 1, overMs: hour },
    ],
  });
  expect(lines[0]).toMatch(/^1,000\/s │ +█+$/);
  expect(lines.at(-2)).toMatch(/^ +│▁+█+▁+$/);
});

test('stages of a third each have a length without a rounding error', () => {
  const [calm, burst] = [
    { ratePerSecond: 5, overMs: 4000 / 3 },
    { ratePerSecond: 50, overMs: 1000 },
  ];
  const lines = shapeLines({ ratePerSecond: 5, stages: [calm, burst, calm, burst, calm] });
  expect(lines.at(-1)).toMatch(/ 6 s$/);
});

test('a rate that stays the same is not drawn', () => {
  expect(shapeOf('steady')).toBe('\n\n');
  expect(shapeOf('contention')).toBeUndefined();
});
