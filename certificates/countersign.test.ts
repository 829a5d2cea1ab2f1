import { createPublicKey } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { diffRecords } from '../reports/record/diff.ts';
import { type RunRecord, recordSchema } from '../reports/record/record.ts';
import { runFileSchema } from './bundle/run-file-schema.ts';
import { newKey, sealedAnew, sharedBundle, sharedVendor as vendor, textIn, verifier } from '../testing/try-bundle.ts';
import type { Bundle } from './bundle/bundle.ts';
import { countersign, witnessProblems } from './countersign.ts';
import { verifyBundle } from './verify-bundle.ts';

const [witness, stranger] = [newKey(), newKey()];
let bundle: Bundle;
let record: RunRecord;
beforeAll(async () => {
  bundle = await sharedBundle();
  record = recordSchema.parse(JSON.parse(textIn(bundle, 'report.json')));
});

async function outcome(of: Bundle, ...witnesses: readonly (typeof vendor)[]): Promise<string> {
  const verification = await verifyBundle(of, {
    ...verifier(vendor),
    witnesses: witnesses.map((key) => createPublicKey(key)),
  });
  return verification.kind === 'refused' ? verification.reasons.join('\n') : verification.kind;
}

test('a certificate with the signature of a witness is verified by both keys', async () => {
  const signed = countersign(bundle, witness);
  expect(await outcome(signed)).toBe('verified');
  expect(await outcome(signed, witness)).toBe('verified');
  expect(() => countersign(signed, witness)).toThrow(/^the key sha256:\w+ has signed certificate\.json$/);
  expect(() => countersign(bundle, vendor)).toThrow('has signed');
});

test('a witness that did not sign, that is the vendor, or that signed something else is refused', async () => {
  const signed = countersign(bundle, witness);
  expect(await outcome(bundle, witness)).toMatch(/does not match this statement and the key/);
  expect(await outcome(signed, stranger)).toMatch(/does not match this statement and the key/);
  expect(await outcome(signed, vendor)).toBe('the key of the witness is that of the vendor');
  const { signatures } = JSON.parse(textIn(signed, 'certificate.json'));
  const other = sealedAnew(bundle, vendor, { run: ({ notes }) => void notes.push('another') });
  const { signatures: own, ...rest } = JSON.parse(textIn(other, 'certificate.json'));
  const moved = { ...rest, signatures: [...own, signatures[1]] };
  const forged = new Map(other).set('certificate.json', Buffer.from(JSON.stringify(moved)));
  expect(await outcome(forged, witness)).toMatch(/does not match this statement and the key/);
});

test('the run of a witness confirms a certificate only if every verdict is the same, at the same address', () => {
  const run = runFileSchema.parse(JSON.parse(textIn(bundle, 'run.json')));
  const problems = (witnessed: RunRecord) => witnessProblems(run, witnessed, diffRecords(record, witnessed));
  const [first, ...others] = record.checks;
  if (first === undefined) throw new Error('there are checks');
  expect(problems(record)).toEqual([]);
  expect(problems({ ...record, target: { ...record.target, baseUrl: 'https://elsewhere.example.com' } })).toEqual([
    expect.stringMatching(/^you judged https:\/\/elsewhere\.example\.com, and the certificate is about /),
  ]);
  expect(problems({ ...record, checks: [{ ...first, verdict: 'failed' }, ...others] })).toEqual([
    `${first.id} is passed in the certificate and failed in your run`,
  ]);
  expect(problems({ ...record, checks: others })).toEqual([`only one of the two runs has ${first.id}`]);
});
