import { expect, test } from 'vitest';
import { createTransfers } from './transfers.ts';

/** Bodies of the given sizes ask in turn; `begun` names those that may arrive, in order. */
function asking(mostBytes: number, ...sizes: readonly number[]) {
  const transfer = createTransfers(mostBytes);
  const begun: number[] = [];
  const transfers = sizes.map((bytes, index) => {
    const one = transfer();
    void one.begin(bytes).then(() => begun.push(index));
    return one;
  });
  const ended = async (index: number): Promise<readonly number[]> => {
    transfers[index]?.end();
    await Promise.resolve();
    await Promise.resolve();
    return begun;
  };
  return { begun, ended };
}

test('bodies that have room together arrive at once, and others in the order in which they asked', async () => {
  const { begun, ended } = asking(100, 60, 40, 50, 10, 90);
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  expect(await ended(0)).toEqual([0, 1, 2, 3]);
  expect(await ended(1)).toEqual([0, 1, 2, 3]); // 60 of 100 are taken
  expect(await ended(2)).toEqual([0, 1, 2, 3, 4]);
});

test('one body arrives however large it is, and none beside it', async () => {
  const { begun, ended } = asking(100, 500, 1);
  await Promise.resolve();
  expect(begun).toEqual([0]);
  expect(await ended(0)).toEqual([0, 1]);
});

test('a body that ends before its turn takes no room', async () => {
  const { ended } = asking(100, 60, 60, 40);
  expect(await ended(1)).toEqual([0, 2]);
});

test('a body that asks twice takes its room once', async () => {
  const transfer = createTransfers(100);
  const [first, second] = [transfer(), transfer()];
  await first.begin(60);
  await first.begin(60);
  first.end();
  await expect(second.begin(100)).resolves.toBeUndefined();
});
