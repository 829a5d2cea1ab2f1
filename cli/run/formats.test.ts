import { renderAnnotated } from '../../reports/annotated/annotated-page.ts';
import { disguises } from '../../testing/disguises.ts';
import { createRedactor } from '../../core/redaction/redact.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validate } from 'ctrf';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';
import { targetFile } from '../../reference/target-file.ts';
import { formats } from '../../reports/run/formats.ts';
import { type RunRecord, recordSchema } from '../../reports/record/record.ts';
import { renderTerminal } from '../../reports/run/terminal.ts';
import { harErrors } from '../../testing/try-har.ts';
import { parseTarget } from '../../targets/target-file.ts';
import { awc, temporaryFolder } from '../../testing/try-awc.ts';
import { recordOfReference } from '../../testing/try-record.ts';

let passing: RunRecord;
let failing: RunRecord;

beforeAll(async () => {
  passing = await recordOfReference();
  failing = await recordOfReference({
    faults: ['later-pages-short'],
    choices: { 'limit-out-of-range': 'clamp' },
    wrap: (deployment, target) => ({ deployment, target: { ...target, billingAccounts: [] } }),
  });
});

describe('a run of the reference, right and wrong, in every format', () => {
  test('the runs are what the test needs', () => {
    expect(passing.summary).toMatchObject({ failed: 0, errored: 0 });
    for (const verdict of ['passed', 'failed', 'warned', 'blocked'] as const) {
      expect(failing.summary[verdict], verdict).toBeGreaterThan(0);
    }
    for (const record of [passing, failing]) expect(recordSchema.safeParse(record).success).toBe(true);
  });

  test('each names what failed', () => {
    const [sentence = ''] = failing.requirements
      .filter(({ verdict }) => verdict === 'failed')
      .map((one) => one.sentence);
    for (const name of ['html', 'markdown', 'ctrf', 'junit'] as const) {
      expect(formats[name](failing), name).toContain(sentence);
    }
    expect(formats.github(failing, 'target.yaml')).toMatch(/^::error file=target\.yaml,line=1,title=paging/);
    expect(formats.github(failing).trimEnd().split('\n').length).toBeLessThanOrEqual(10);
    expect(formats.badge(failing)).toContain('>nonconformant<');
    expect(formats.badge(passing)).not.toContain('nonconformant');
  });

  test('CTRF and HAR fit their schemas', () => {
    for (const record of [passing, failing]) {
      expect(validate(JSON.parse(formats.ctrf(record)))).toMatchObject({ valid: true });
      expect(harErrors(formats.har(record))).toBeNull();
    }
  });
});

describe('the commands', () => {
  async function written(record: RunRecord): Promise<string> {
    const path = join(await temporaryFolder(), 'report.json');
    await writeFile(path, JSON.stringify(record));
    return path;
  }

  test('report prints a format, or writes it whole', async () => {
    const path = await written(failing);
    expect(await awc('report', path, '--format', 'markdown')).toEqual({
      code: 0,
      out: formats.markdown(failing),
      err: '',
    });
    const out = join(await temporaryFolder(), 'report.html');
    expect(await awc('report', path, '--format', 'html', '--out', out)).toEqual({ code: 0, out: '', err: '' });
    expect(await readFile(out, 'utf8')).toBe(formats.html(failing));
    const { out: annotations } = await awc('report', path, '--format', 'github', '--target', 'staging.yaml');
    expect(annotations).toMatch(/^::error file=staging\.yaml,line=1,/);
  });

  test('diff ends with 1 where something got worse, and with 0 where nothing did', async () => {
    const [a, b] = [await written(passing), await written(failing)];
    const worse = await awc('diff', a, b);
    expect([worse.code, worse.err]).toEqual([1, '']);
    expect(worse.out).toMatch(/^ {2}passed → failed {2}paging\.[a-z-]+\/list[A-Za-z]+: /m);
    expect(worse.out).toMatch(/^ {4}Explains .*paging\.any-id-is-cursor\/listModels/m);
    expect(worse.out).toMatch(/Observed differently\n {2}\S/);
    expect((await awc('diff', b, a)).code).toBe(0);
    expect((await awc('diff', a, a)).out).toMatch(/\nNo regression: 0 worse, 0 better, 0 unclear, \d+ unchanged; 0 /);
  });
});

const canaries = new Map([
  ['alice', 'CANARY-of-alice-7f3a91c2e0d84b65'],
  ['bob', 'CANARY/of+bob"quoted"5d18e6a0f7c93b42'],
]);

/** The target as its file says it: one key from the environment, one written down, and both unknown to anybody else. */
function plantedTarget(target: Target): Target {
  const principals = target.principals.map((principal) => ({
    ...principal,
    key: principal.name === 'alice' ? '${AWC_CANARY}' : (canaries.get(principal.name) ?? principal.key),
  }));
  const environment = { AWC_CANARY: canaries.get('alice') };
  return parseTarget(targetFile({ ...target, principals }), 'target.yaml', environment).target;
}

/** A deployment that repeats the caller's key in every field of its answers that can hold it. */
function talkative(reference: Deployment, { principals }: Target): Deployment {
  const keys = new Map(principals.map(({ name, key }) => [`Bearer ${canaries.get(name) ?? key}`, `Bearer ${key}`]));
  return async (request) => {
    const sent = request.headers['authorization'] ?? '';
    const authorization = keys.get(sent);
    const known =
      authorization === undefined ? request : { ...request, headers: { ...request.headers, authorization } };
    const { status, headers, body } = await reference(known);
    const echo = { 'x-echo': sent, [`x-${Buffer.from(sent).toString('hex').slice(0, 8)}`]: encodeURIComponent(sent) };
    const forms = [sent, Buffer.from(sent).toString('base64'), ...disguises.map(([, disguise]) => disguise(sent))];
    const inJson = JSON.stringify(forms.join(' ')).slice(1, -1);
    const said = Buffer.from(body)
      .toString()
      .replaceAll(/(?<="(?:detail|name|displayName)":")/g, () => `${inJson} `);
    return { status, headers: { ...headers, ...echo }, body: Buffer.from(said) };
  };
}

test('a key from the target file, the environment or an answer is in no format', async () => {
  const record = await recordOfReference({
    faults: ['later-pages-short', 'only-issued-cursors'],
    // Every name repeats the key in many forms. Of full lists, the run would read hundreds of megabytes.
    choices: { models: '3', sources: '51' },
    only: ['auth.*', 'access.*', 'paging.*', 'models.*', 'billing.*'],
    wrap: (reference, target) => ({ deployment: talkative(reference, target), target: plantedTarget(target) }),
  });
  expect(record.summary.failed).toBeGreaterThan(0);
  const texts = [
    ...Object.values(formats).map((render) => render(record)),
    renderTerminal(record, { color: true }),
    renderAnnotated({ blocks: [], guardsOf: () => ({ checks: [], faults: [] }), record }),
    JSON.stringify(record),
  ];
  expect(texts.join('')).toContain('$AWC_CANARY');
  for (const key of canaries.values()) {
    const secret = key.slice(-16);
    const encoded = [0, 1, 2].map((at) => Buffer.from(key).subarray(at).toString('base64').slice(4, -4));
    const { pieces } = createRedactor([{ key, variable: '$K' }]);
    for (const text of texts) {
      expect(pieces(text).filter(({ kind }) => kind === 'secret')).toEqual([]);
      for (const part of [secret, secret.slice(0, 8), secret.slice(8), ...encoded])
        expect(text.includes(part)).toBe(false);
    }
  }
});
