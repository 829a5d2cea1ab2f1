import { expect, test } from 'vitest';
import { saidBy } from '../../testing/said-by.ts';

const id = 'wait.finishes/at-last';
const after = ['messages.text', 'wait.finishes', 'idempotency.no-duplicate'];

test.each(['quick-and-slow', 'moody', 'always-2-s', 'seconds'])(
  'where responses end when they like, as with the assistant %s, no end is missed',
  async (assistant) => {
    const heard = await saidBy(id, { choices: { assistant }, after });
    expect(heard).toEqual([]);
  },
);
