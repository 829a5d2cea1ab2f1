import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { HttpRequest } from '../../core/http.ts';
import { createReference } from '../../reference/reference.ts';
import { Api, as } from '../api.ts';
import { createSession } from './session.ts';

test('each request has a trace of its own, and each attempt too; the same run has the same traces again', async () => {
  const tracesOf = async (seed: number) => {
    const clock = virtualClock();
    const { deployment, target } = createReference({ clock, seed: 1, choices: { gateway: 'hiccups' } });
    const seen: HttpRequest['trace'][] = [];
    const noting = (request: HttpRequest) => {
      seen.push(request.trace);
      return deployment(request);
    };
    const api = new Api(createSession({ deployment: noting, target, clock, seed, invariants: [] }), 'test');
    const [principal] = target.principals;
    if (principal === undefined) throw new Error('no principal');
    for (let count = 0; count < 60; count += 1) await api.listModels(as(principal), 'org_main', { limit: 1 });
    expect(api.exchanges.map(({ request }) => request.trace)).toEqual(seen);
    return seen;
  };
  const traces = await tracesOf(1);
  expect(traces.length).toBeGreaterThan(60);
  expect(new Set(traces.map((trace) => trace?.traceId)).size).toBe(traces.length);
  expect(new Set(traces.map((trace) => trace?.spanId)).size).toBe(traces.length);
  for (const trace of traces) {
    expect(trace?.traceId).toMatch(/^(?!0+$)[\da-f]{32}$/);
    expect(trace?.spanId).toMatch(/^(?!0+$)[\da-f]{16}$/);
  }
  expect(await tracesOf(1)).toEqual(traces);
  expect((await tracesOf(2))[0]).not.toEqual(traces[0]);
});
