import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { plainTarget } from '../../testing/samples/plain-target.ts';
import { plainOptions } from '../../testing/plain-options.ts';
import { parseProfile } from '../profile/profile-file.ts';
import { beginRun } from './begin-run.ts';

const target = plainTarget();

const profile = parseProfile(
  'question: Why?\nload: { open: { rate: 10 } }\nduration: 1s\nwarmUp: 100ms\nvalidate: 0%\noperations: { listModels: { weight: 1 } }\n',
  'short.yaml',
  {},
);

/** How long the generator is busy before the load. */
const busyMs = 490;

test('what the generator does while it waits for the start is no part of the load', async () => {
  const run = await beginRun(profile, plainOptions(target));
  const now = performance.now();
  run.begin(now + 600); // its warm-up begins in half a second
  while (performance.now() < now + busyMs);
  await sleep(700);
  const { generator } = await run.end({ sockets: { cap: 0, peak: 0, waited: 0 } });
  expect(generator.eventLoopUtilization).toBeLessThan(0.25);
  expect(generator.eventLoopDelayP99Ms).toBeLessThan(busyMs);
});
