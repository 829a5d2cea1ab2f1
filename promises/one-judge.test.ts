import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { judged } from '../traffic/seen-in.ts';
import { answerPromises } from './all-promises.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['core', 'promises', 'engine', 'stage', 'suites', 'load', 'traffic'];

/** Calls that name a requirement and judge nothing: declarations of checks, look-ups and observations. */
const lookups = new Set([
  'check',
  'afterOutage',
  'afterEach',
  'invariantCheck',
  'mustHaveKept',
  'invariant',
  'observe',
  'has',
  'isEnough',
]);

/** Where a requirement is the subject of a function, as `path: function('id'`, by its id. */
function judgesIn(sources: readonly (readonly [path: string, text: string])[]): ReadonlyMap<string, readonly string[]> {
  const judges = new Map<string, string[]>();
  for (const [path, text] of sources) {
    for (const [, name = '', id = ''] of text.matchAll(/(\w+)\s*(?:\(|:)\s*'([a-z0-9]+\.[a-z0-9-]+)'/g)) {
      if (!lookups.has(name)) judges.set(id, [...(judges.get(id) ?? []), `${path}: ${name}`]);
    }
  }
  return judges;
}

const sources = folders
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')] as const);

/** The requirements of the judges in `promises/`. */
const written = sources
  .filter(([path]) => path.startsWith('promises/'))
  .flatMap(([, text]) => [...text.matchAll(/(?:promised|ofSuccess|ofSize)\(\s*'([a-z]+\.[a-z0-9-]+)'/g)])
  .map(([, id = '']) => id);

test('every requirement that is judged here has one judge, wherever the answer was seen', () => {
  const judges = judgesIn(sources);
  const listed = answerPromises.map(({ requirement }) => requirement);
  expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted());
  const ids = [...new Set([...written, ...listed])];
  expect(ids.filter((id) => judges.get(id)?.length !== 1).map((id) => [id, judges.get(id)])).toEqual([]);
});

test.each([
  "found.push(finding('errors.content-type', 'a JSON content type', contentType));",
  "eachExchange('errors.content-type', ({ answer }) => undefined),",
  "const rule = { requirement: 'errors.content-type', judge };",
])('a second judge is found: %s', (planted) => {
  const judges = judgesIn([...sources, ['load/validate/planted.ts', planted]]);
  expect(judges.get('errors.content-type')).toHaveLength(2);
});

test('traffic applies every judge, except that of a missing answer, which no recording shows', () => {
  const isJudged = (id: string) => [...judged].some((one) => one === id);
  expect(written.length).toBeGreaterThan(40);
  expect(written.filter((id) => !isJudged(id))).toEqual(['robustness.answered']);
});
