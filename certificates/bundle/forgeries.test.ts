import { beforeAll, describe, expect, test } from 'vitest';
import { identity } from '../../reports/record/identity.ts';
import type { CheckRecord, RunRecord } from '../../reports/record/record.ts';
import type { Bundle, BundleFile } from './bundle.ts';
import { sealEnvelope } from './envelope.ts';
import { publicPem } from './keys.ts';
import { renderManifest } from './manifest.ts';
import { publishedLevels } from '../../spec/errata.ts';
import { currentRevision } from '../../spec/revisions/revisions.ts';
import {
  type Altered,
  newKey,
  sealedAnew,
  sharedBundle,
  sharedVendor as vendor,
  textIn,
  verifier,
  withFiles,
} from '../../testing/try-bundle.ts';
import { doubtOfBuild, verifyBundle } from '../verify-bundle.ts';

const stranger = newKey();
let genuine: Bundle;

beforeAll(async () => {
  genuine = await sharedBundle();
});

/** Why a bundle is refused, one reason a line. */
async function reasons(bundle: Bundle, key = vendor): Promise<string> {
  const verification = await verifyBundle(bundle, verifier(key));
  return verification.kind === 'refused' ? verification.reasons.join('\n') : verification.kind;
}

function edited(name: BundleFile, edit: (text: string) => string): (bundle: Bundle) => Bundle {
  return (bundle) => {
    const text = edit(textIn(bundle, name));
    if (text === textIn(bundle, name)) throw new Error(`nothing was edited in ${name}`);
    return withFiles(bundle, { [name]: text });
  };
}

test('the genuine bundle is verified, by the key and by its own', async () => {
  expect(await reasons(genuine)).toBe('verified');
  expect(await verifyBundle(genuine, verifier())).toMatchObject({ kind: 'verified', record: { result: 'conformant' } });
});

test('a bundle is verified whose report was sealed before reports held what a run used up', async () => {
  const sealedBefore = sealedAnew(genuine, vendor, { record: (record) => void delete record.usedUp });
  expect(textIn(sealedBefore, 'report.json')).not.toContain('usedUp');
  expect(await reasons(sealedBefore)).toBe('verified');
});

/** The levels that revision 1 published. */
const published = publishedLevels(currentRevision.errata);

function withPublishedLevels(record: RunRecord): void {
  record.spec.digest = identity(published).spec.digest;
  for (const check of record.checks) check.level = published.get(check.requirement) ?? check.level;
  for (const one of record.requirements) one.level = published.get(one.id) ?? one.level;
}

test('a bundle is verified that was sealed before the errata of its revision', async () => {
  const sealedBefore = sealedAnew(genuine, vendor, {
    run: ({ revision }) => void delete revision.errata,
    record: withPublishedLevels,
  });
  expect(textIn(sealedBefore, 'report.json')).not.toBe(textIn(genuine, 'report.json'));
  expect(await reasons(sealedBefore)).toBe('verified');
});

test('a bundle that knows the errata does not have the published levels', async () => {
  const sealed = sealedAnew(genuine, vendor, { record: withPublishedLevels });
  expect(await reasons(sealed)).toMatch(/checks\.wait\.refused\.level is "must" and should be "should"/);
});

describe('without the key, refused is', () => {
  test.each<[string, (bundle: Bundle) => Bundle, RegExp]>([
    [
      'an altered report',
      edited('report.json', (text) => text.replace('"verdict": "passed"', '"verdict": "warned"')),
      /^report\.json was altered/,
    ],
    ['a report cut short', edited('report.json', (text) => text.slice(0, -2)), /^report\.json was altered/],
    [
      'a dropped exchange',
      edited('exchanges.ndjson', (text) => text.replace(/.*"exchange":7,.*\n/, '')),
      /^exchanges\.ndjson was altered/,
    ],
    ['another target', edited('run.json', (text) => text.replace('Embedded', 'Imbedded')), /^run\.json was altered/],
    [
      'a missing file',
      (bundle) => new Map([...bundle].filter(([name]) => name !== 'run.json')),
      /^run\.json is missing$/,
    ],
    [
      'a manifest that leaves a file out',
      edited('manifest.sha256', (text) => text.replace(/.*run\.json\n/, '')),
      /^manifest\.sha256 does not name run\.json$/,
    ],
    [
      'a manifest that reaches out',
      edited('manifest.sha256', (text) => `${text}${'0'.repeat(64)}  ../../etc/passwd\n`),
      /^manifest\.sha256 names \.\.\/\.\.\/etc\/passwd, which is not a file/,
    ],
    [
      'a manifest that says it in another way',
      edited('manifest.sha256', (text) => text.replaceAll('\n', '\n\n')),
      /^manifest\.sha256 is not in its canonical form/,
    ],
    [
      'a manifest made to agree',
      withNewManifest,
      /^the signed statement: subject\.0\.digest\.sha256 is .* and should be/,
    ],
    [
      'a truncated signature',
      edited('certificate.json', (text) => text.replace(/"sig": ".{44}/, '"sig": "')),
      /has 31 bytes instead of 64$/,
    ],
    [
      'another signature',
      edited('certificate.json', (text) =>
        text.replace(/"sig": "./, (old) => old.slice(0, -1) + (old.endsWith('A') ? 'B' : 'A')),
      ),
      /^the signature in .* does not match this statement/,
    ],
    [
      'another payload type',
      edited('certificate.json', (text) => text.replace('vnd.in-toto+json', 'json')),
      /^certificate\.json holds application\/json, not/,
    ],
    [
      'another statement',
      withStatement((text) => text.replace('"PASSED"', '"WARNED"')),
      /does not match this statement/,
    ],
    [
      'a second signature',
      edited('certificate.json', (text) => text.replace(/(\{\s*"keyid"[^}]+\})/, '$1, $1')),
      /has two signatures of one key$/,
    ],
    [
      'a name that stands twice',
      edited('certificate.json', (text) => text.replace('"payload":', '"payload": "", "payl\\u006fad":')),
      /^certificate\.json has the name payload twice in one object$/,
    ],
    [
      'a deep envelope',
      edited('certificate.json', () => '['.repeat(100_000)),
      /^certificate\.json nests deeper than 24 levels$/,
    ],
    ['no envelope', edited('certificate.json', () => 'signed, the vendor'), /^certificate\.json is not JSON$/],
    [
      'a key that is named but did not sign',
      edited('certificate.json', (text) => text.replace(/"sha256:./, '"sha256:x')),
      /names a key that did not sign it/,
    ],
    [
      'no UTF-8',
      (bundle) => new Map([...bundle, ['certificate.json' as const, Buffer.from([0xff])]]),
      /^certificate\.json is not UTF-8$/,
    ],
    [
      'a private key that is handed about',
      edited('public-key.pem', () => vendor.export({ type: 'pkcs8', format: 'pem' }).toString()),
      /^public-key\.pem was altered/,
    ],
    [
      'the work of another key',
      (bundle) => sealedAnew(withKey(bundle), stranger, {}),
      /^the signature in certificate\.json does not match this statement and the key sha256:/,
    ],
  ])('%s', async (_what, forge, expected) => {
    expect(await reasons(forge(genuine))).toMatch(expected);
  });

  test('the work of another key even if no key is given, unless the key is its own', async () => {
    const forged = sealedAnew(genuine, stranger, {});
    expect(await verifyBundle(forged, verifier())).toMatchObject({
      kind: 'refused',
      reasons: [expect.stringMatching(/^the signature/)],
    });
    expect(await verifyBundle(sealedAnew(withKey(genuine), stranger, {}), verifier())).toMatchObject({
      kind: 'verified',
    });
  });
});

describe('with the key, refused is', () => {
  const altered = (what: Altered) => (bundle: Bundle) => sealedAnew(bundle, vendor, what);
  const inRecord = (alter: (record: RunRecord) => void) => altered({ record: alter });
  const inExchanges = (alter: (lines: string[]) => void) => altered({ exchanges: alter });

  test.each<[string, (bundle: Bundle) => Bundle, RegExp]>([
    [
      'a dropped requirement',
      inRecord(({ requirements }) =>
        requirements.splice(
          requirements.findIndex(({ id }) => id === 'paging.walk'),
          1,
        ),
      ),
      /^report\.json: requirement paging\.walk is left out$/m,
    ],
    ['a dropped check', inRecord(({ checks }) => checks.splice(3, 1)), /^report\.json: check auth\.\S+ is left out$/m],
    [
      'a check reported twice',
      inRecord(({ checks }) => checks.push(...checks.slice(0, 1))),
      /^report\.json: the report lists a check twice$/m,
    ],
    [
      'a violation',
      inRecord(({ checks }) => setVerdict(checks, 'billing.record', 'failed')),
      /^report\.json: billing\.record failed$/m,
    ],
    [
      'what is blocked',
      inRecord(({ checks }) => setVerdict(checks, 'billing.record', 'blocked')),
      /^report\.json: billing\.record blocked$/m,
    ],
    ['a filter', inRecord(({ only }) => void only.push('auth.*')), /^report\.json: only some checks were asked for$/m],
    [
      'a waiver',
      inRecord(
        ({ waivers }) =>
          void waivers.push({
            waives: 'paging.walk',
            reason: 'r',
            owner: 'o',
            link: 'https://x.example',
            expires: '2027-01-01',
            state: 'applied',
            checks: [],
          }),
      ),
      /^report\.json: a violation is waived/m,
    ],
    [
      'another seed',
      altered({ run: (run) => void (run.seed += 1), record: (record) => void (record.seed += 1) }),
      /^exchanges\.ndjson is not the run that run\.json describes/m,
    ],
    [
      'a role that no principal had',
      altered({ run: ({ target }) => void target.principals[0]?.adminOf.pop() }),
      /^exchanges\.ndjson is not the run that run\.json describes/m,
    ],
    [
      'another date',
      altered({
        run: (run) => void (run.startedAt = '2026-01-20T12:00:00.000Z'),
        record: (record) => void (record.startedAt = '2026-01-20T12:00:00.000Z'),
      }),
      /^run\.json says that the run began at 2026-01-20T12:00:00\.000Z, but the clock in .* at 2026-01-15T12:00:00\.000Z$/,
    ],
    [
      'an end in the future',
      altered({
        run: (run) => void (run.startedAt = '2026-01-31T00:09:59.000Z'),
        exchanges: (lines) => replaceIn(lines, /"startMs":\d+/, `"startMs":${Date.parse('2026-01-31T00:09:59.000Z')}`),
      }),
      /^the run ended at 2026-01-31T\S+, which is in the future$/,
    ],
    [
      'a date in the future, of a run that only another suite can make again',
      altered({
        run(run) {
          run.suite.version = '99.0.0';
          run.startedAt = '2026-03-15T12:00:00.000Z';
        },
      }),
      /^the run began at 2026-03-15T12:00:00\.000Z, which is in the future$/,
    ],
    [
      'a long stand-in',
      altered({
        run: ({ target }) => void Object.assign(target.principals[0] ?? {}, { standIn: 'ab'.repeat(15_000) }),
      }),
      /^run\.json does not match its schema$/,
    ],
    [
      'many stand-ins',
      altered({
        run: ({ target }) => {
          for (let index = 0; index < 100; index += 1) {
            target.principals.push({
              name: `p${index}`,
              variable: `$P${index}`,
              standIn: 'ab'.repeat(1500),
              adminOf: [],
            });
          }
        },
      }),
      /^run\.json does not match its schema$/,
    ],
    [
      'a long address',
      altered({ run: ({ target }) => void (target.baseUrl = `http://x/${'ab'.repeat(15_000)}`) }),
      /^run\.json does not match its schema$/,
    ],
    [
      'the promises of another revision',
      altered({ run: ({ revision }) => void (revision.digest = revision.digest.replace(/^./, 'x')) }),
      /^revision 1 has another digest/,
    ],
    [
      'a revision to come',
      altered({ run: ({ revision }) => void (revision.number = 99) }),
      /^revision 99 is unknown to this suite$/,
    ],
    [
      'an exchange left out',
      inExchanges((lines) =>
        lines.splice(
          lines.findIndex((line) => line.includes('"exchange":700,')),
          1,
        ),
      ),
      /^exchanges\.ndjson, line \d+, says that \d+ events end here/,
    ],
    [
      'an exchange left out, and the count made to agree',
      inExchanges((lines) => withoutExchange(lines, 400)),
      /^exchanges\.ndjson is not the run that run\.json describes: .*not in the recording$/m,
    ],
    ['an exchange more', inExchanges((lines) => withoutExchange(lines, 700, 2)), /^exchanges\.ndjson is not the run/m],
    [
      'an answer that breaks a promise',
      inExchanges((lines) => replaceIn(lines, '\\"error\\":{\\"title\\":', '\\"error\\":{\\"tilte\\":')),
      /^report\.json says passed of \S+, the exchanges say failed: expected error\.title, a string/m,
    ],
    [
      'statuses that break some',
      inExchanges((lines) => {
        for (const [index, line] of lines.entries()) lines[index] = line.replace('"status":401', '"status":200');
      }),
      /^report\.json says passed of auth\.\S+, the exchanges say failed: expected 401/m,
    ],
    [
      'an answer that came too late',
      inExchanges((lines) => replaceIn(lines, /("clock":\[\d[\d.,]*)\]/, '$1,99]')),
      /looks at the clock less often/,
    ],
    [
      'exchanges cut short',
      inExchanges((lines) => lines.splice(900)),
      /^exchanges\.ndjson is cut off: its last line is missing$/,
    ],
    [
      'a line that is none',
      inExchanges((lines) => void (lines[9] = '{"sleep":1}')),
      /^exchanges\.ndjson, line 10, does not match its schema$/,
    ],
    [
      'a body that is not there',
      inExchanges((lines) => replaceIn(lines, '"body":0}}', '"body":999999}}')),
      /names body 999999, which does not exist$/,
    ],
    [
      'a time beyond all times',
      inExchanges((lines) => replaceIn(lines, /"startMs":\d+/, '"startMs":9e15')),
      /^exchanges\.ndjson, line 1, does not match its schema$/,
    ],
    [
      'a statement that says more',
      (bundle) =>
        signedStatement(bundle, (text) => text.replace('"passedTests":[', '"passedTests":["safety.audited",')),
      /^the signed statement: predicate\.passedTests/,
    ],
    [
      'a statement about something else',
      (bundle) => signedStatement(bundle, (text) => text.replace('manifest.sha256', 'product.zip')),
      /^the signed statement: subject\.0\.name is "product\.zip"/,
    ],
  ])('%s', async (_what, forge, expected) => {
    expect(await reasons(forge(genuine))).toMatch(expected);
  });

  test('all that the report says besides what the exchanges show', async () => {
    const forge = inRecord((record) => {
      setVerdict(record.checks, 'billing.record', 'warned');
      record.summary.passed += 1;
      record.observations.pop();
      record.usedUp?.deletions.pop();
      record.notes.push('Best in class.');
      record.target.baseUrl = 'https://api.example.com';
    });
    const named = await reasons(forge(genuine));
    for (const expected of [
      /checks\.billing\.record\.verdict is "warned" and should be "passed"$/m,
      /^report\.json: summary\.passed is \d+ and should be/m,
      /^report\.json: observations/m,
      /^report\.json: usedUp\.deletions\.\d+ is left out$/m,
      /^report\.json: notes\.0 is added$/m,
      /^report\.json: target\.baseUrl is "https:\/\/api\.example\.com" and should be/m,
    ])
      expect(named).toMatch(expected);
  });

  test('a run that cannot be repeated may be of another build, but only of a version that is not released', async () => {
    const shorter = inExchanges((lines) => withoutExchange(lines, 700));
    expect(await reasons(shorter(genuine))).toMatch(/or another build made it: \d+\.\d+\.\d+ is not released/);
    expect(doubtOfBuild('1.0.0', new Map([['1.0.0', '2027-01-01']]))).toEqual([]);
  });

  test('nothing but said to be for another version, where that judged', async () => {
    const later = sealedAnew(genuine, vendor, { run: ({ suite }) => void (suite.version = '9.9.9') });
    expect(await verifyBundle(later, verifier())).toMatchObject({
      kind: 'other-suite',
      run: { suite: { version: '9.9.9' } },
    });
  });
});

function setVerdict(checks: CheckRecord[], id: string, verdict: CheckRecord['verdict']): void {
  for (const check of checks) if (check.id === id) check.verdict = verdict;
}

/** Leaves an exchange out, or repeats it, and lets the last line agree. */
function withoutExchange(lines: string[], number: number, times = 0): void {
  const index = lines.findIndex((line) => line.includes(`"exchange":${number},`));
  const line = lines[index] ?? '';
  lines.splice(index, 1, ...Array.from({ length: times }, () => line));
  const events = lines.filter((text) => /^\{"(?:exchange|wake)"/.test(text)).length;
  lines.push((lines.pop() ?? '').replace(/"end":\d+/, `"end":${events}`));
}

function replaceIn(lines: string[], old: string | RegExp, text: string): void {
  const index = lines.findIndex((line) => line !== line.replace(old, text));
  lines[index] = (lines[index] ?? '').replace(old, text);
}

function withNewManifest(bundle: Bundle): Bundle {
  const changed = edited('report.json', (text) => text.replace('"verdict": "passed"', '"verdict": "warned"'))(bundle);
  return withFiles(changed, { 'manifest.sha256': renderManifest(changed) });
}

function withKey(bundle: Bundle): Bundle {
  return withFiles(bundle, { 'public-key.pem': publicPem(stranger) });
}

/** Under the signature of the genuine one. */
function withStatement(edit: (text: string) => string): (bundle: Bundle) => Bundle {
  return edited('certificate.json', (text) => {
    const { payload, ...rest } = JSON.parse(text);
    return JSON.stringify({
      ...rest,
      payload: Buffer.from(edit(Buffer.from(payload, 'base64').toString())).toString('base64'),
    });
  });
}

function signedStatement(bundle: Bundle, edit: (text: string) => string): Bundle {
  const { payload } = JSON.parse(textIn(bundle, 'certificate.json'));
  const statement = Buffer.from(payload, 'base64').toString();
  return withFiles(bundle, { 'certificate.json': sealEnvelope(edit(statement), vendor) });
}
