/** JUnit held against an XML Schema that others wrote, by a validator that others wrote. */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { renderJunit } from '../run/junit.ts';
import { sampleRecord, waivedRecord } from '../../testing/samples/run-records.ts';

let schema = '';

beforeAll(async () => {
  const published = await readFile(new URL('jenkins-junit.xsd', import.meta.url), 'utf8');
  const [, likeFailure = ''] = /<xs:element name="failure">([^]*?)<\/xs:element>/.exec(published) ?? [];
  schema = published.replace(
    '<xs:element name="skipped" type="xs:string"/>',
    `<xs:element name="skipped">${likeFailure}</xs:element>`,
  );
  expect(schema).not.toBe(published);
});

async function errors(contents: string): Promise<readonly string[]> {
  const found = await validateXML({ xml: { fileName: 'junit.xml', contents }, schema });
  return found.errors.map(({ message }) => message);
}

test.each([
  ['a run in which everything happened', sampleRecord()],
  ['a run with waivers', waivedRecord()],
  ['a run of nothing', sampleRecord({ checks: [] })],
])('%s is valid', async (_what, record) => {
  expect(await errors(renderJunit(record))).toEqual([]);
});

test.each([
  ['an unknown attribute', '<testsuite name="lists"', '<testsuite name="paging" share="1"'],
  ['an unknown element', '</testcase>', '<warned/></testcase>'],
  ['another order', /(<failure [^]*?<\/failure>)\s*(<system-out>[^]*?<\/system-out>)/, '$2$1'],
  ['a character that XML lacks', 'a page of 2', 'a page of &#1;'],
])('the validator sees %s', async (_what, before, after) => {
  const xml = renderJunit(sampleRecord());
  expect(xml).not.toBe(xml.replace(before, after));
  expect(await errors(xml.replace(before, after))).not.toEqual([]);
});
