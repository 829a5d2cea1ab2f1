import { expect, test } from 'vitest';
import { createReference } from '../reference/reference.ts';
import { Api } from './api.ts';
import { virtualClock } from '../core/clock.ts';
import { shared } from './fixture.ts';
import { TransportError } from '../core/http.ts';
import { createSession } from './session/session.ts';
import { Blocked } from './verdict.ts';

function begin(): Api {
  const clock = virtualClock();
  const session = createSession({ ...createReference({ clock, seed: 1 }), clock, seed: 1, invariants: [] });
  return new Api(session, 'test');
}

/** A fixture that meets these, one after the other, and gives how often it was made. */
function counting(...errors: readonly Error[]) {
  let made = 0;
  return shared(async () => {
    made += 1;
    const error = errors[made - 1];
    if (error !== undefined) throw error;
    return made;
  });
}

test('is made once in a run for each key', async () => {
  const given = counting();
  const [api, other] = [begin(), begin()];
  expect(await Promise.all([given(api), given(api), given(api, 'a'), given(other)])).toEqual([1, 1, 2, 3]);
  expect(await given(api)).toBe(1);
});

test('a reason for having none is final', async () => {
  const given = counting(new Blocked('no chat'));
  const api = begin();
  await expect(given(api)).rejects.toThrow('no chat');
  await expect(given(api)).rejects.toThrow('no chat');
});

test('is made once more if no answer came, and that is final', async () => {
  const [lost, again] = [new TransportError('reset', 'it broke'), new TransportError('reset', 'again')];
  const api = begin();
  const mended = counting(lost);
  await expect(mended(api)).rejects.toThrow('it broke');
  expect([await mended(api), await mended(api)]).toEqual([2, 2]);
  const broken = counting(lost, again);
  await expect(broken(api)).rejects.toThrow('it broke');
  await expect(broken(api)).rejects.toThrow('again');
  await expect(broken(api)).rejects.toThrow('again');
  const thin = counting(lost, new Blocked('no chat'));
  await expect(thin(api)).rejects.toThrow('it broke');
  await expect(thin(api)).rejects.toThrow('no chat');
  await expect(thin(api)).rejects.toThrow('no chat');
});

test('a check that waits for the fixture of another one leaves its slot', async () => {
  const ready = Promise.withResolvers<string>();
  const given = shared(() => ready.promise);
  const maker = begin();
  const other = new Api(maker.session, 'other');
  const { slots } = maker.session;
  slots.open(2, () => {});
  const works = [maker, other].map((api) => slots.work(async () => void (await given(api))));
  await Promise.resolve();
  expect(slots.areFree()).toBe(true);
  ready.resolve('made');
  await Promise.all(works);
});

test('is made once, although another check asks for it while it begins', async () => {
  const maker = begin();
  const other = new Api(maker.session, 'other');
  const { slots } = maker.session;
  const given = shared(async ({ seed }) => {
    await slots.aside(Promise.resolve(), false);
    return seed;
  });
  const started = Promise.withResolvers<number>();
  let isStarted = false;
  slots.open(1, () => {
    if (isStarted) return;
    isStarted = true;
    void slots.work(async () => started.resolve(await given(other)));
  });
  await slots.work(async () => expect(await given(maker)).toBe(maker.seed));
  expect(await started.promise).toBe(maker.seed);
});
