import { expect, test } from 'vitest';
import { loadKinds } from '../kinds/kinds.ts';
import { parseProfile } from './profile-file.ts';
import { profileReference } from './profile-reference.ts';
import { templateOf } from './profile-templates.ts';

const reference = profileReference(templateOf);

test('the document is what the schema says; vitest -u writes it', async () => {
  await expect(reference).toMatchFileSnapshot('../../docs/load-profiles.md');
});

test('every field has a meaning, and every kind a profile that is valid', () => {
  expect(reference.match(/\|\s+\|$/gm)).toBeNull();
  expect(reference.match(/^\| `/gm)?.length).toBeGreaterThan(40);
  for (const { name } of loadKinds) {
    expect(parseProfile(templateOf(name), `${name}.yaml`, {}).load.kind).toBe(name);
  }
});

test.each(['nosuch', 'constructor'])('there is no template of the kind %s', (kind) => {
  expect(() => templateOf(kind)).toThrow(`a kind of load that was not checked: ${kind}`);
});
