import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createReference } from '../../reference/reference.ts';
import { Api } from '../api.ts';
import { perCheck, perRun } from './run-memory.ts';
import { createSession } from './session.ts';

function begin(): Api {
  const clock = virtualClock();
  const session = createSession({ ...createReference({ clock, seed: 1 }), clock, seed: 1, invariants: [] });
  return new Api(session, 'test');
}

test('a part is made once for its owner, and two sessions in one process share nothing', () => {
  const namesIn = perRun(() => new Set<string>());
  const countsIn = perRun(() => ({ count: 0 }));
  const [one, other] = [begin(), begin()];
  namesIn(one.session).add('a');
  countsIn(one.session).count += 1;
  expect([...namesIn(one.session)]).toEqual(['a']);
  expect(countsIn(one.session)).toEqual({ count: 1 });
  expect([...namesIn(other.session)]).toEqual([]);
  expect(countsIn(other.session)).toEqual({ count: 0 });
});

test('a check remembers apart from its session and from other checks', () => {
  const seedIn = perCheck(({ seed }: Api) => ({ seed }));
  const one = begin();
  const other = new Api(one.session, 'another');
  expect(seedIn(one)).toBe(seedIn(one));
  expect(seedIn(one)).not.toBe(seedIn(other));
  expect(seedIn(other).seed).toBe(other.seed);
});

test('no module keeps the state of runs: the session does', () => {
  const files = globSync('{engine,stage,suites,targets,embed,certificates,cli}/**/*.ts');
  expect(files.length).toBeGreaterThan(300);
  const keeping = files.filter((path) =>
    /new Weak(Map|Set)<(Session|Sender|Api|Target)\b/.test(readFileSync(path, 'utf8')),
  );
  expect(keeping).toEqual([]);
});
