import { beforeAll, expect, test } from 'vitest';
import { sealedAnew, sharedBundle, sharedVendor as vendor, textIn, verifier } from '../testing/try-bundle.ts';
import type { Bundle } from './bundle/bundle.ts';
import { seedOfChallenge } from './challenge.ts';
import { verifyBundle } from './verify-bundle.ts';

const challenge = 'certifier 2026-11-23 kQ7w';
let bundle: Bundle;
beforeAll(async () => {
  bundle = await sharedBundle({ challenge });
});

async function outcome(of: Bundle, expected: string | undefined): Promise<string> {
  const verification = await verifyBundle(of, { ...verifier(vendor), challenge: expected });
  return verification.kind === 'refused' ? verification.reasons.join('\n') : verification.kind;
}

test('a run that answers a challenge is verified with it, and by those who do not know it', async () => {
  expect(await outcome(bundle, challenge)).toBe('verified');
  expect(await outcome(bundle, undefined)).toBe('verified');
  const { payload } = JSON.parse(textIn(bundle, 'certificate.json'));
  const { configuration } = JSON.parse(Buffer.from(payload, 'base64').toString()).predicate;
  expect(configuration).toContainEqual(
    expect.objectContaining({ name: 'challenge', annotations: { text: challenge } }),
  );
  expect(configuration).toContainEqual(
    expect.objectContaining({ name: 'server', digest: { sha256: 'a'.repeat(64) }, uri: 'http://reference.invalid' }),
  );
});

test('another challenge, and one that was written into an older run, are refused', async () => {
  expect(await outcome(bundle, 'another')).toBe(`the run answers the challenge ${challenge} instead of another`);
  const renamed = sealedAnew(bundle, vendor, { run: (run) => void (run.challenge = 'another') });
  expect(await outcome(renamed, 'another')).toBe('the seed in run.json does not follow from the challenge');
  const reseeded = sealedAnew(bundle, vendor, {
    run(run) {
      run.challenge = 'another';
      run.seed = seedOfChallenge('another');
    },
  });
  expect(await outcome(reseeded, 'another')).toMatch(/^exchanges\.ndjson is not the run that run\.json describes/m);
  const without = sealedAnew(bundle, vendor, { run: (run) => void delete run.challenge });
  expect(await outcome(without, challenge)).toBe(`the run answers no challenge instead of ${challenge}`);
});
