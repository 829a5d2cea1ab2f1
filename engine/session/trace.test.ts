import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { HttpRequest } from '../../core/http.ts';
import { createReference } from '../../reference/reference.ts';
import { Api, as } from '../api.ts';
import { createSession } from './session.ts';

/** The IDs of its trace. */
function idsOf({ trace }: HttpRequest): readonly string[] {
  return trace === undefined ? [] : [trace.traceId, trace.spanId];
}

test('each request has a trace of its own, and each attempt too; the same run has the same traces again', async () => {
  const tracesOf = async (seed: number) => {
    const clock = virtualClock();
    const { deployment, target } = createReference({ clock, seed: 1, choices: { gateway: 'hiccups' } });
    const seen: (readonly string[])[] = [];
    const noting = (request: HttpRequest) => {
      seen.push(idsOf(request));
      return deployment(request);
    };
    const api = new Api(createSession({ deployment: noting, target, clock, seed, invariants: [] }), 'test');
    const [principal] = target.principals;
    if (principal === undefined) throw new Error('no principal');
    for (let count = 0; count < 60; count += 1) await api.listModels(as(principal), 'org_main', { limit: 1 });
    expect(api.exchanges.map(({ request }) => idsOf(request))).toEqual(seen);
    return seen;
  };
  const traces = await tracesOf(1);
  expect(traces.length).toBeGreaterThan(60);
  expect(new Set(traces.map(([traceId]) => traceId)).size).toBe(traces.length);
  expect(new Set(traces.map(([, spanId]) => spanId)).size).toBe(traces.length);
  for (const [traceId, spanId] of traces) {
    expect(traceId).toMatch(/^(?!0+$)[\da-f]{32}$/);
    expect(spanId).toMatch(/^(?!0+$)[\da-f]{16}$/);
  }
  expect(await tracesOf(1)).toEqual(traces);
  expect((await tracesOf(2))[0]).not.toEqual(traces[0]);
});
