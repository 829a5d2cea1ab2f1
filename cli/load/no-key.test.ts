import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRedactor } from '../../core/redaction/redact.ts';
import type { Deployment } from '../../core/http.ts';
import { loadFormats } from '../../reports/load/load-formats.ts';
import { disguises } from '../../testing/disguises.ts';
import { awc, servedReference, temporaryFolder, writtenTarget } from '../../testing/try-awc.ts';

/** A deployment whose lists break a promise, and show the key of the caller in every form. */
function talkative(reference: Deployment): Deployment {
  return async (request) => {
    const { status, headers, body } = await reference(request);
    const key = (request.headers['authorization'] ?? '').replace(/^Bearer /, '');
    const forms = [key, ...disguises.map(([, disguise]) => disguise(key).toString())];
    const said = Buffer.from(body)
      .toString()
      .replaceAll('"name":"', () => `"name":${JSON.stringify(forms.join(' ')).slice(0, -1)} `)
      .replaceAll(/"createdAt":"[^"]*"/g, () => `"createdAt":${JSON.stringify(key)}`);
    return { status, headers: { ...headers, 'x-echo': encodeURIComponent(key) }, body: Buffer.from(said) };
  };
}

test('no key is in the record of a load, in any of its formats, or on the screen', { timeout: 60_000 }, async () => {
  const target = await servedReference({ choices: { 'rate-quota': 'none' }, wrap: talkative });
  const out = await temporaryFolder();
  const profile = join(out, 'short.yaml');
  const text =
    'question: What?\nload:\n  open: { rate: 20 }\nduration: 500ms\noperations:\n  listModels: { weight: 1, limits: [5] }\n';
  await writeFile(profile, text);
  const folder = join(out, 'results');
  const ended = await awc('load', await writtenTarget(target), '--profile', profile, '--out', folder);
  const record = join(folder, 'load.json');
  const texts = [ended.out, ended.err];
  for (const file of await readdir(folder)) texts.push(await readFile(join(folder, file), 'utf8'));
  for (const format of Object.keys(loadFormats)) texts.push((await awc('report', record, '--format', format)).out);
  expect(texts.join('')).toContain('$AWC_KEY_');
  expect(texts.every((one) => one.length > 0 || one === ended.err)).toBe(true);
  for (const { key } of target.principals) {
    const { pieces } = createRedactor([{ key, variable: '$K' }]);
    for (const one of texts) expect(pieces(one).filter(({ kind }) => kind === 'secret')).toEqual([]);
  }
});
