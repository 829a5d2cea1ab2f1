import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadKinds } from '../kinds/kinds.ts';
import { parseProfile, templateOf } from './profile-file.ts';
import { profileReference } from './profile-reference.ts';

const reference = profileReference();

test('the document is what the schema says; vitest -u writes it', async () => {
  await expect(reference).toMatchFileSnapshot('../../docs/load-profiles.md');
});

test('every field has a meaning, and every kind a profile that is valid', () => {
  const fields = [...reference.matchAll(/^\| `([\w.[\]]+)` .*?\|(?<meaning>[^|]*)\|$/gm)];
  const unexplained = fields.filter(({ groups }) => groups?.['meaning']?.trim() === '').map(([, field]) => field);
  expect(unexplained, 'these fields have no .describe(…)').toEqual([]);
  expect(reference.match(/^\| `/gm)?.length).toBeGreaterThan(40);
  for (const { name } of loadKinds) {
    expect(parseProfile(templateOf(name), `${name}.yaml`, {}).load.kind).toBe(name);
  }
});

test('the tables of profiles in load-testing.md name every kind of load and every shipped profile', async () => {
  const home = new URL('../../', import.meta.url);
  const text = await readFile(new URL('docs/load-testing.md', home), 'utf8');
  const rowOfKinds = /^\| `load` .*/m.exec(text)?.[0] ?? '';
  const kinds = loadKinds.map(({ name }) => name).filter((name) => !rowOfKinds.includes(`\`${name}\``));
  const shipped = (await readdir(new URL('profiles/', home))).map((file) => file.replace('.yaml', ''));
  const profiles = shipped.filter((name) => !text.includes(`\n| \`${name}\` `));
  expect(
    { kinds, profiles },
    'in docs/load-testing.md, add these kinds to the row `load`, and these profiles to the table of shipped profiles',
  ).toEqual({ kinds: [], profiles: [] });
});

test.each(['nosuch', 'constructor'])('there is no template of the kind %s', (kind) => {
  expect(() => templateOf(kind)).toThrow(`there is no kind of load with the name ${kind}`);
});
