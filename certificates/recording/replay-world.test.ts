import { describe, expect, test } from 'vitest';
import { judge } from '../../suites/run/judge.ts';
import { realClock } from '../../core/clock.ts';
import { TransportError } from '../../core/http.ts';
import { networkDeployment } from '../../core/network/network.ts';
import { createRedactor } from '../../core/redaction/redact.ts';
import { createSession } from '../../engine/session/session.ts';
import { servedReference } from '../../testing/try-awc.ts';
import { suites } from '../../suites/index.ts';
import { invariants } from '../../suites/errors/invariants.ts';
import { maxBytes, recordWorld, type World } from './record-world.ts';
import { redactRecording, redactRequest } from './redact-recording.ts';
import { replayWorld } from './replay-world.ts';
import type { Recording } from './recording.ts';
import { parseRecording, renderRecording } from '../bundle/written-recording.ts';

const none = createRedactor([]);
const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/** As it would be read from a bundle. */
function written(recording: Recording): Recording {
  return parseRecording(renderRecording(redactRecording(recording, none)), 'exchanges.ndjson');
}

test('what ran side by side over a network is made again as it was, by its recording alone', async () => {
  const target = await servedReference({ latencyMs: [0, 10] });
  const network = networkDeployment(target);
  const wanted =
    /^paging\.(envelope|limit-|has-more)(?!.*(?:after-deletion|at-last))|^auth\.altered.*get|^access\.granted.*get/;
  const checks = suites.filter(({ id }) => wanted.test(id));
  const run = async (world: World) => {
    const session = createSession({ ...world, target, seed: 1, invariants });
    const verdicts = await Promise.all(checks.map(async (check) => [check.id, await judge(check, session)] as const));
    return { verdicts, sent: session.sender.sent(), at: session.clock.now() };
  };
  const recorded = recordWorld({ ...network, clock: realClock }, breathe);
  const before = await run(recorded.world);
  network.close();
  const again = await replayWorld(written(recorded.recording()), (request) => redactRequest(request, none), run);
  expect(again).toEqual({ kind: 'done', result: before });
});

test('a recording has a bound, and equal bodies count once', async () => {
  const request = { method: 'GET', path: '/', headers: {}, timeoutMs: 1 } as const;
  let size = maxBytes - 10;
  const answer: World['deployment'] = () => Promise.resolve({ status: 200, headers: {}, body: Buffer.alloc(size) });
  const { world, recording } = recordWorld({ deployment: answer, clock: realClock }, breathe);
  await world.deployment(request);
  await world.deployment(request);
  size = 11;
  await expect(world.deployment(request)).rejects.toMatchObject({ failure: 'too-large' });
  expect(recording().events.map((event) => event.kind === 'exchange' && event.outcome.kind)).toEqual([
    'answered',
    'answered',
    'failed',
  ]);
});

describe('a recorded run', () => {
  /** Asks twice, side by side with a sleep; the second request gets no answer. */
  async function ask({ deployment, clock }: World, path = '/a'): Promise<string> {
    const request = { method: 'GET', headers: {}, timeoutMs: 1 } as const;
    const [first] = await Promise.all([deployment({ ...request, path }), clock.sleep(5)]);
    const second = await deployment({ ...request, path: '/b' }).catch((error: unknown) =>
      error instanceof TransportError ? error.failure : 'another error',
    );
    return `${first.status} ${Buffer.from(first.body).toString('latin1')} ${String(second)} ${clock.now() > 0}`;
  }

  async function recordingOfAsk(): Promise<Recording> {
    const deployment: World['deployment'] = async ({ path }) => {
      if (path === '/b') throw new TransportError('reset', 'gone');
      return { status: 200, headers: {}, body: new Uint8Array([0x61, 0xff]) };
    };
    const { world, recording } = recordWorld({ deployment, clock: realClock }, breathe);
    await ask(world);
    return written(recording());
  }

  const again = (recording: Recording, run: (world: World) => Promise<string>) =>
    replayWorld(recording, (request) => redactRequest(request, none), run);

  test('replays the same bytes, failures and times', async () => {
    expect(await again(await recordingOfAsk(), ask)).toEqual({ kind: 'done', result: '200 a\u00ff reset true' });
  });

  test.each<[string, (recording: Recording) => Recording, (world: World) => Promise<string>, RegExp]>([
    ['another request', same, (world) => ask(world, '/c'), /^exchange 0 is GET \/a, but the suite sends GET \/c$/],
    [
      'a request more',
      same,
      async (world) => (await ask(world)) + (await ask(world)),
      /^the suite sends GET \/a, which is not in/,
    ],
    ['a look at the clock more', same, async (world) => (await ask(world)) + String(world.clock.now()), /more often/],
    ['a look at the clock less', same, async () => '', /less often|does not send|sleep that is none/],
    [
      'a longer wait',
      without('wake'),
      ask,
      /^the recording holds GET \/b .exchange 1., which the suite does not send$/,
    ],
    ['an answer less', without('exchange'), ask, /not in the recording$/],
  ])('is left at %s', async (_what, alter, run, reason) => {
    const replayed = await again(alter(await recordingOfAsk()), run);
    expect(replayed).toEqual({ kind: 'diverged', reason: expect.stringMatching(reason) });
  });

  test('hands on what the run itself throws', async () => {
    const failing = async (world: World): Promise<string> => {
      await ask(world);
      throw new Error('a bug');
    };
    await expect(again(await recordingOfAsk(), failing)).rejects.toThrow('a bug');
  });
});

function same(recording: Recording): Recording {
  return recording;
}

function without(kind: 'wake' | 'exchange') {
  return (recording: Recording): Recording => ({
    ...recording,
    events: recording.events.filter((event) => event.kind !== kind),
  });
}
