import { expect, test } from 'vitest';
import { atOnce, during, type Gate } from './at-once.ts';
import { virtualClock } from '../core/clock.ts';
import { createSender } from './session/sender.ts';

const request = { method: 'GET', path: '/', headers: {}, timeoutMs: 1000 } as const;

test('sends at the same instant what the limit of requests a second would spread', async () => {
  const clock = virtualClock();
  const sentAt: number[] = [];
  const sender = createSender(
    async () => {
      sentAt.push(clock.now());
      return { status: 200, headers: {}, body: new Uint8Array() };
    },
    clock,
    10,
  );
  const startedAt = clock.now();
  const send = (_index: number, gate: Gate) =>
    sender.send({ operation: 'listModels', caller: 'alice', request, patient: true, gate }, () => {});
  await atOnce(5, send);
  expect(new Set(sentAt).size).toBe(1);
  expect((sentAt[0] ?? 0) - startedAt).toBeGreaterThanOrEqual(400);
});

test('does not wait for one that fails before its turn', async () => {
  const arrived: number[] = [];
  const racing = atOnce(3, async (index, gate) => {
    if (index === 1) throw new Error('no answer');
    await gate();
    arrived.push(index);
    throw new Error('too late');
  });
  await expect(racing).rejects.toThrow();
  expect(arrived).toEqual([0, 2]);
});

test('outlives neither of two things', async () => {
  let ended = false;
  const slow = new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => {
    ended = true;
  });
  await expect(during(Promise.reject(new Error('first')), slow)).rejects.toThrow('first');
  expect(ended).toBe(true);
  expect(await during(Promise.resolve(1), Promise.resolve('two'))).toEqual([1, 'two']);
});
