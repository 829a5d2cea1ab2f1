import { connect } from 'node:net';
import { once } from 'node:events';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { type Clock, realClock } from '../../core/clock.ts';
import { simulatedRecord } from '../../testing/simulated/record.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { type JoinedLoad, joinLoad } from './join-load.ts';
import { type GatherLimits, usualLimits } from './limits.ts';
import type { Registration } from './protocol.ts';
import { serveGathering } from './serve-gathering.ts';

const quick: GatherLimits = {
  ...usualLimits,
  headStartMs: 20,
  holdMs: 400,
  cutEarlyMs: 40,
  cutMs: 60,
  lookMs: 5,
};
const patience = { firstMs: 300, laterMs: 300, retryMs: 10 };
/** What never happens fails in the end; what is slow on a busy machine does not. */
const patiently = { timeout: 60_000 };
const never = new AbortController().signal;

/** Lets a part send what it has to send next: many turns of the event loop, however slow the machine is. */
async function inTurns(): Promise<void> {
  for (let turn = 0; turn < 40; turn += 1) await realClock.sleep(5);
}

type Given = { readonly of?: number; readonly limits?: Partial<GatherLimits>; readonly token?: string };

/** A coordinator on loopback, with what it says. */
async function coordinator({ of = 2, limits = {}, token }: Given = {}) {
  const events: string[] = [];
  const gathering = await serveGathering({
    of,
    limits: { ...quick, ...limits },
    now: realClock.now,
    onEvent: (text) => void events.push(text),
    host: '127.0.0.1',
    port: 0,
    token,
  });
  onTestFinished(gathering.close);
  /** How the parts ended: a sentence of a record, or a reason. */
  const endings = async () =>
    [...(await gathering.over)].map(([part, outcome]): [number, string] => [
      part,
      outcome.kind === 'record' ? outcome.record.sentence : outcome.failure.reason,
    ]);
  return { ...gathering, events, endings };
}

function join(url: string, part: number, clock: Clock = realClock, token?: string): JoinedLoad {
  const joined = joinLoad({ url, part, token, clock, onEvent: () => {}, patience });
  onTestFinished(joined.close);
  return joined;
}

function registered(over: Partial<Registration> = {}): Registration {
  const { profile, seed, target, suite } = simulatedRecord({ blocks: [] }, 0);
  return {
    suite: suite.version,
    of: 2,
    seed,
    profile: { name: profile.name, digest: profile.digest },
    target: target.baseUrl,
    warmUpMs: 0,
    longestMs: 1000,
    ...over,
  };
}

function recordOf(part: number, of = 2, over: Partial<LoadRecord> = {}): LoadRecord {
  return simulatedRecord({ blocks: [] }, 0, {
    shards: { of, indexes: [part] },
    sentence: `Part ${part}.`,
    throughputPerSecond: 0,
    ...over,
  });
}

/** A clock that is wrong by so much. */
const wrongBy = (ms: number): Clock => ({ ...realClock, now: () => realClock.now() + ms });

test('parts meet, start at one instant of the coordinator by clocks that differ, and hand over their records', async () => {
  const { url, over, endings, events } = await coordinator({ of: 3 });
  const skews = [0, -5000, 60_000];
  const parts = skews.map((skew, place) => join(url, place + 1, wrongBy(skew)));
  const starts = await Promise.all(parts.map((part) => part.meet(registered({ of: 3 }), never)));
  const instants = starts.map(({ startAt, clock }) => startAt + clock.offsetMs);
  expect(new Set(instants.map(Math.round)).size).toBe(1);
  for (const [place, { startAt, clock }] of starts.entries()) {
    const skew = skews[place] ?? 0;
    expect(Math.abs(clock.offsetMs + skew)).toBeLessThanOrEqual(clock.uncertaintyMs + 1);
    expect(Math.abs(startAt - skew - (instants[0] ?? 0))).toBeLessThanOrEqual(clock.uncertaintyMs + 1);
  }
  await Promise.all(parts.map((part, place) => part.handOver(recordOf(place + 1, 3))));
  expect((await over).size).toBe(3);
  expect(new Map(await endings())).toEqual(new Map([1, 2, 3].map((part) => [part, `Part ${part}.`])));
  const said = events.join('\n');
  expect(said).toMatch(/^part \d of 3 is here \(1 of 3\)$/m);
  expect(said).toMatch(/^all parts start at \S+Z, in \d+ ms$/m);
  expect(said).toMatch(/^part 2 of 3: its clock is 5\.0 s behind the coordinator's \(± [\d.]+ ms\)/m);
  expect(said).toMatch(/^part 3 of 3: its clock is 60 s ahead of the coordinator's/m);
  expect(said).toMatch(/^part 1 of 3 has handed over its record: Part 1\.$/m);
});

test('a part says again what it said, and nothing changes', async () => {
  const { url, over, events } = await coordinator({ of: 1 });
  const part = join(url, 1);
  await part.meet(registered({ of: 1 }), never);
  await part.handOver(recordOf(1, 1));
  await part.handOver(recordOf(1, 1));
  await over;
  expect(events.filter((text) => text.includes('record'))).toHaveLength(1);
});

test.each<[string, Partial<Registration>, string]>([
  ['another seed', { seed: 7 }, 'its seed is 7, and that of the others is 1'],
  ['another number of parts', { of: 3 }, 'it is one of 3 parts, and this load has 2'],
  ['another version', { suite: '9.9.9' }, 'its version of the suite is 9.9.9'],
  ['another profile', { profile: { name: 'other', digest: 'sha256:0' } }, 'its profile is other'],
  ['a profile of another content', { profile: { name: 'steady', digest: 'x' } }, 'its digest of the profile is x'],
  ['another target', { target: 'http://other' }, 'its target is http://other'],
])('a part with %s is refused, and no part starts', async (_what, over, reason) => {
  const { url, events } = await coordinator();
  const first = expect(join(url, 1).meet(registered(), never)).rejects.toThrow(
    `the load was stopped before its start: part 2 of 2: ${reason}`,
  );
  await expect.poll(() => events, patiently).toHaveLength(1);
  const second = join(url, 2);
  const refused = { message: expect.stringContaining(reason), exitCode: 6 };
  await expect(second.meet(registered(over), never)).rejects.toMatchObject(refused);
  await second.fail({ part: 2, of: 2, reason, exitCode: 6 });
  await first;
});

test('a second process with the number of a part is refused, and the first goes on', async () => {
  const { url, over, events } = await coordinator();
  const first = join(url, 1);
  const second = join(url, 2);
  const meeting = first.meet(registered(), never);
  await expect.poll(() => events, patiently).toHaveLength(1);
  const other = join(url, 1);
  await expect(other.meet(registered(), never)).rejects.toThrow('another process has registered as this part');
  await expect(other.fail({ part: 1, of: 2, reason: 'refused', exitCode: 6 })).rejects.toThrow('another process');
  await Promise.all([meeting, second.meet(registered(), never)]);
  await first.handOver(recordOf(1));
  await second.handOver(recordOf(2));
  expect([...(await over).values()].map(({ kind }) => kind)).toEqual(['record', 'record']);
});

test('a part waits for a coordinator that is not there yet, within a bound', async () => {
  const { url, close } = await coordinator();
  await close();
  const said: string[] = [];
  const part = joinLoad({
    url,
    part: 1,
    token: undefined,
    clock: realClock,
    onEvent: (text) => void said.push(text),
    patience,
  });
  await expect(part.meet(registered(), never)).rejects.toMatchObject({
    exitCode: 6,
    message: expect.stringMatching(/cannot be reached \(ECONNREFUSED\) for \d+ ms/),
  });
  expect(said).toEqual([expect.stringMatching(/ECONNREFUSED.*tries again$/)]);
  await part.fail({ part: 1, of: 2, reason: 'no coordinator', exitCode: 6 });
});

test('a part that does not register in time is named, and those that are here do not start', async () => {
  const { url, endings } = await coordinator({ of: 3, limits: { withinMs: 60 } });
  const part = join(url, 2);
  await expect(part.meet(registered({ of: 3 }), never)).rejects.toThrow(
    'stopped before its start: not all parts registered within 60 ms',
  );
  await part.fail({ part: 2, of: 3, reason: 'stopped', exitCode: 6 });
  expect(await endings()).toEqual([
    [1, 'it did not register within 60 ms'],
    [3, 'it did not register within 60 ms'],
    [2, 'stopped'],
  ]);
});

test('a part that dies before the start is noticed, and the others do not start', async () => {
  const { url, endings, events } = await coordinator({ of: 3 });
  const first = join(url, 1);
  const meeting = expect(first.meet(registered({ of: 3 }), never)).rejects.toThrow(
    /stopped before its start: part 3 of 3: its connection ended \d+ ms ago, without a record/,
  );
  const dying = joinLoad({ url, part: 3, token: undefined, clock: realClock, onEvent: () => {}, patience });
  const died = expect(dying.meet(registered({ of: 3 }), never)).rejects.toThrow('cannot be reached');
  await expect.poll(() => events, patiently).toHaveLength(2);
  await inTurns(); // it waits for the others
  await dying.close();
  await meeting;
  await died;
  await first.fail({ part: 1, of: 3, reason: 'stopped', exitCode: 6 });
  expect((await endings())[0]).toEqual([3, expect.stringContaining('its connection ended')]);
});

test('a part that dies during the load is noticed, and the others are stopped', async () => {
  const { url, over } = await coordinator();
  const [first, second] = [join(url, 1), join(url, 2)];
  await Promise.all([first, second].map((part) => part.meet(registered(), never)));
  await inTurns(); // it listens for the end
  await second.close();
  await expect.poll(() => first.stop.aborted, patiently).toBe(true);
  expect(first.stop.reason).toMatch(/^part 2 of 2: its connection ended \d+ ms ago, without a record$/);
  await first.handOver(recordOf(1, 2, { result: 'interrupted' }));
  expect([...(await over)].map(([part, { kind }]) => [part, kind])).toEqual([
    [2, 'failed'],
    [1, 'record'],
  ]);
});

test('a part that fails says why, and the reason is shown without control characters', async () => {
  const { url, endings, events } = await coordinator({ of: 1 });
  await join(url, 1).fail({ part: 1, of: 1, reason: 'nothing listens\u001b[2J\n', exitCode: 3 });
  expect(await endings()).toEqual([[1, 'nothing listens\\u001b[2J\\u000a']]);
  expect(events[0]).toBe('part 1 of 1: nothing listens\\u001b[2J\\u000a');
});

test('a clock that cannot be read well enough is refused with its figure', async () => {
  const { url } = await coordinator({ of: 1 });
  let calls = 0;
  const slow: Clock = { ...realClock, now: () => realClock.now() + 600 * calls++ };
  await expect(join(url, 1, slow).meet(registered({ of: 1 }), never)).rejects.toThrow(
    /its clock can only be read to within \d+ ms, half of the shortest round trip to the coordinator; .* need 250 ms/,
  );
});

test('a coordinator that is stopped asks the parts to stop, and takes what they measured', async () => {
  const { url, stop, over } = await coordinator();
  const parts = [join(url, 1), join(url, 2)];
  await Promise.all(parts.map((part) => part.meet(registered(), never)));
  stop('it was interrupted');
  for (const [place, part] of parts.entries()) {
    await expect.poll(() => part.stop.reason, patiently).toBe('it was interrupted');
    await part.handOver(recordOf(place + 1, 2, { result: 'interrupted' }));
  }
  expect([...(await over).values()].map(({ kind }) => kind)).toEqual(['record', 'record']);
});

test('a part that ended itself ends the others', async () => {
  const { url } = await coordinator();
  const [first, second] = [join(url, 1), join(url, 2)];
  await Promise.all([first, second].map((part) => part.meet(registered(), never)));
  await first.handOver(recordOf(1, 2, { result: 'aborted' }));
  await expect.poll(() => second.stop.reason, patiently).toBe('part 1 of 2 ended early');
});

test('a part that is interrupted no longer waits', async () => {
  const { url, events } = await coordinator();
  const interruption = new AbortController();
  const meeting = expect(join(url, 1).meet(registered(), interruption.signal)).rejects.toMatchObject({ exitCode: 130 });
  await expect.poll(() => events, patiently).toHaveLength(1);
  interruption.abort();
  await meeting;
});

test('a record of another part is refused', async () => {
  const { url } = await coordinator({ of: 1 });
  const part = join(url, 1);
  await part.meet(registered({ of: 1 }), never);
  for (const record of [recordOf(2, 2), recordOf(1, 2), recordOf(1, 1, { seed: 9 })])
    await expect(part.handOver(record)).rejects.toThrow('its record is of another part or of another load');
});

const token = 'a-secret-of-many-characters';

test.each([undefined, 'another-secret-of-as-many', `${token}x`])('the token %s lets no part in', async (wrong) => {
  const { url, events } = await coordinator({ of: 1, token });
  await expect(join(url, 1, realClock, wrong).meet(registered({ of: 1 }), never)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('AWC_GATHER_TOKEN is not that of the coordinator'),
  });
  const right = join(url, 1, realClock, token);
  await right.meet(registered({ of: 1 }), never);
  expect(events.join('\n')).not.toContain(token);
});

test.each<[string, string, object, string, number]>([
  ['a page of a browser', '/parts/1/p/clock', { origin: 'http://evil.example' }, '{}', 401],
  ['another path', '/', {}, '{}', 404],
  ['part 0', '/parts/0/p/clock', {}, '{}', 404],
  ['a process with a slash', '/parts/1/..%2f/clock', {}, '{}', 404],
  ['no JSON', '/parts/1/p/register', {}, '{', 400],
  ['too much JSON', '/parts/1/p/register', {}, `"${'x'.repeat(70_000)}"`, 400],
  ['fields that are not expected', '/parts/1/p/register', {}, '{"__proto__":{}}', 400],
  ['a failure of another shape', '/parts/1/p/failed', {}, '{"part":1,"of":1e9,"reason":7,"exitCode":0}', 400],
  ['a part that never registered', '/parts/1/p/wait', {}, '{"knows":"gathering"}', 409],
  ['a part beyond the last one', '/parts/9/p/failed', {}, '{"part":9,"of":2,"reason":"","exitCode":0}', 409],
])('%s is refused, and the service goes on', async (_what, path, headers, body, status) => {
  const { url, events } = await coordinator();
  const { statusCode, body: answer } = await request(`${url}${path}`, {
    method: 'POST',
    headers: { ...headers },
    body,
  });
  expect(statusCode).toBe(status);
  expect(await answer.json()).toEqual({ reason: expect.any(String) });
  expect(events).toEqual([]);
  expect((await request(`${url}/parts/1/p/clock`, { method: 'POST', body: '{}' })).statusCode).toBe(200);
});

test('long headers and many connections are bounded', async () => {
  const { url } = await coordinator();
  const { port } = new URL(url);
  const { statusCode } = await request(`${url}/parts/1/p/clock`, { headers: { 'x-long': 'x'.repeat(9000) } });
  expect(statusCode).toBe(431);
  const sockets = Array.from({ length: 60 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  await once(sockets[59] ?? process, 'close');
});
