import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

/** Two slots; the waiting checks start when one is free. Gives the events, and what ends the checks. */
function begun(names: readonly string[], mayExceed = false) {
  const slots = createSlots();
  const events: string[] = [];
  const waiting = [...names];
  const fixture = Promise.withResolvers<void>();
  const others = Promise.withResolvers<void>();
  function startMore(): void {
    while (slots.areFree()) {
      const name = waiting.shift();
      if (name === undefined) return;
      events.push(`+${name}`);
      void slots.work(async () => {
        await (name.startsWith('waits') ? slots.aside(fixture.promise, mayExceed) : others.promise);
        events.push(`-${name}`);
      });
    }
  }
  slots.open(2, startMore);
  startMore();
  return { events, fixture, others };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a check that waits for a fixture leaves its slot to the next, and comes back when one is free', async () => {
  const { events, fixture, others } = begun(['waits', 'waits too', 'a', 'b', 'c']);
  await settle();
  expect(events).toEqual(['+waits', '+waits too', '+a', '+b']);
  fixture.resolve();
  await settle();
  expect(events).toHaveLength(4);
  others.resolve();
  await settle();
  expect(events.indexOf('-waits too')).toBeLessThan(events.indexOf('+c'));
  expect(events.at(-1)).toBe('-c');
});

test('a check that others wait for goes on at once', async () => {
  const { events, fixture } = begun(['waits', 'a', 'b'], true);
  await settle();
  fixture.resolve();
  await settle();
  expect(events).toEqual(['+waits', '+a', '+b', '-waits']);
});
