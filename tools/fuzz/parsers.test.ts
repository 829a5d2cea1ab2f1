import { expect, test } from 'vitest';
import { seededRandom } from '../../reference/random.ts';
import { mutateText } from './mutate.ts';
import { parsers } from './parsers.ts';
import { isRefusal } from './refusal.ts';

test.each(parsers)(
  '$name reads a genuine input, and reads or refuses mutated ones',
  { timeout: 60_000 },
  async (parser) => {
    const { genuine, draw } = await parser.open();
    const outcome = async (read: () => unknown): Promise<string> => {
      try {
        await read();
        return 'read';
      } catch (error) {
        if (isRefusal(error)) return 'refused';
        throw error;
      }
    };
    const outcomes = [];
    for (const { read } of genuine) outcomes.push(await outcome(read));
    expect(outcomes).toContain('read');
    for (let ordinal = 1; ordinal <= 8; ordinal += 1) await outcome(draw(seededRandom(1, `${ordinal}`)).read);
  },
);

test('an input follows from its number', () => {
  const mutated = (ordinal: number) => mutateText('{"a":[1,2,{"b":"c"}]}', seededRandom(1, `${ordinal}`));
  expect(mutated(3)).toBe(mutated(3));
  expect(new Set(Array.from({ length: 50 }, (_, ordinal) => mutated(ordinal))).size).toBeGreaterThan(40);
});
