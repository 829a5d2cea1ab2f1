import { expect, test, vi } from 'vitest';
import type { Bundle } from '../certificates/bundle/bundle.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import type { Revision } from '../spec/revisions/revision.ts';
import type { RegistryFiles } from './check-registry.ts';
import type { Certified } from './judge-submission.ts';

/** A suite that has published a second revision, with every requirement of today that needs no outage. */
const current = vi.hoisted(() => ({ number: 1 }));
vi.mock('../spec/revisions/revisions.ts', async () => {
  const { revision1 } = await import('../spec/revisions/revision-1.ts');
  const { digestOf } = await import('../spec/revisions/revision.ts');
  const { catalogueByArea } = await import('../spec/catalogue.ts');
  const { durability: _needsOutages, ...areas } = catalogueByArea;
  const requirements: readonly RequirementId[] = Object.values(areas).flatMap((own) => own.map(({ id }) => id));
  const second = { number: 2, published: '2026-01-01', requirements, errata: [] };
  const revision2: Revision = { ...second, digest: digestOf(second) };
  return {
    revisions: new Map([
      [1, revision1],
      [2, revision2],
    ]),
    get currentRevision() {
      return current.number === 1 ? revision1 : revision2;
    },
  };
});

// Other tests of the worker have imported the published revisions already.
vi.resetModules();
const { certifyReference, newKey } = await import('../testing/try-bundle.ts');
const { submissionOf } = await import('../testing/try-registry.ts');
const { checkRegistry } = await import('./check-registry.ts');
const { placeOf } = await import('./submission.ts');
const { newVendor } = await import('./vendor.ts');

const key = newKey();

async function certifiedBy(revision: number): Promise<Bundle> {
  current.number = revision;
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
