import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import type { HttpRequest } from '../core/http.ts';
import { createReference } from '../reference/reference.ts';
import { Api } from './api.ts';
import { createSession } from './session/session.ts';

test('a request has no header, body or query that was not asked for', async () => {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  const requests: HttpRequest[] = [];
  const deployment = async (request: HttpRequest) => {
    requests.push(request);
    return { status: 401, headers: {}, body: new Uint8Array() };
  };
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  await api.listModels({ name: 'a stranger', authorization: undefined }, 'org_1');
  const [sent] = requests;
  expect(Object.keys(sent?.headers ?? {}).toSorted()).toEqual(['accept', 'user-agent']);
  expect(sent).not.toHaveProperty('body');
  expect(sent?.path).toMatch(/\/models$/);
});
