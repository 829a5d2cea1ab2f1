import { expect, test } from 'vitest';
import type { Bundle } from '../certificates/bundle/bundle.ts';
import { importAnew } from '../testing/import-anew.ts';
import type { RegistryFiles } from './check-registry.ts';
import type { Certified } from './judge-submission.ts';

/** A suite that has published a second revision. */
const suite = await importAnew(
  new URL('../spec/revisions/revisions.ts', import.meta.url),
  new URL('../testing/samples/second-revision.ts', import.meta.url),
  async () => ({
    ...(await import('../testing/samples/second-revision.ts')),
    ...(await import('../testing/try-bundle.ts')),
    ...(await import('../testing/try-registry.ts')),
    ...(await import('./check-registry.ts')),
    ...(await import('./submission.ts')),
    ...(await import('./vendor.ts')),
  }),
);
const { certifyBy, certifyReference, newKey, submissionOf, checkRegistry, placeOf, newVendor } = suite;

const key = newKey();

async function certifiedBy(revision: number): Promise<Bundle> {
  certifyBy(revision);
  // Two deployments, because a run certifies one submission.
  const choices = { 'key-header': revision === 1 ? 'idempotency-key' : 'x-request-id' };
  const certified = await certifyReference(key, { choices, embedded: false });
  if (certified.kind === 'refused') throw new Error(certified.reasons.join('\n'));
  return certified.bundle;
}

test('one suite judges certificates of two revisions again, each by its own', { timeout: 120_000 }, async () => {
  const bundles = new Map([
    ['1.0', await certifiedBy(1)],
    ['2.0', await certifiedBy(2)],
  ]);
  const submissions = [...bundles.keys()].map((version) => submissionOf('Acme', 'Workspace', version));
  const files: RegistryFiles = {
    problems: [],
    places: submissions.map(placeOf),
    readSubmission: (place) =>
      Promise.resolve({
        place,
        text: JSON.stringify(submissionOf('Acme', 'Workspace', place.version)),
        bundle: bundles.get(place.version) ?? new Map(),
        problems: [],
      }),
    readVendor: () => Promise.resolve(JSON.stringify(newVendor('Acme', key))),
  };
  const seen: Certified[] = [];
  const problems = await checkRegistry(files, {
    change: undefined,
    calendar: {
      releases: new Map([['0.1.0', '2025-01-15']]),
      revisions: new Map([
        [1, '2024-06-01'],
        [2, '2025-01-01'],
      ]),
    },
    now: Date.UTC(2026, 0, 31),
    wantsEvidence: false,
    onCertified: (certified) => void seen.push(certified),
  });
  expect(problems).toEqual([]);
  const facts = seen.map(({ run, isJudged, expires }) => [run.revision.number, isJudged, expires]);
  expect(facts).toEqual([
    [1, true, '2026-01-15'],
    [2, true, undefined],
  ]);
  const [first, second] = seen.map(({ record }) => record.summary);
  expect(second?.passed).toBeGreaterThan(first?.passed ?? Infinity);
});
