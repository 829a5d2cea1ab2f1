import { expect, test } from 'vitest';
import { plainTarget } from '../../../testing/samples/plain-target.ts';
import type { LoadRequest } from '../../schedule/load-request.ts';
import { sharingFacts, subjectOf } from './limit-experiments.ts';
import type { LimitSample } from './limit-sample.ts';

const target = plainTarget({
  principals: [
    { name: 'alice', key: 'ka', variable: '$A', adminOf: ['org'] },
    { name: 'bob', key: 'kb', variable: '$B', adminOf: [] },
  ],
  organizations: [{ id: 'org', chats: [], disposableDataSources: [] }],
  billingAccounts: [{ id: 'ba', owner: 'org', attachable: [] }],
  allow: new Set(['load', 'rateLimit']),
});
const subject = subjectOf(target, 1000);
const roundTripMs = 4;

type Limiter = (request: LoadRequest, now: number) => number | undefined;

/** What is reported of a limiter, which says how long a request has to wait, if it refuses it. */
async function factsOf(limiter: Limiter): Promise<readonly string[]> {
  let now = 0;
  async function send(request: LoadRequest) {
    const sentAt = now;
    const retryAfterMs = limiter(request, sentAt + roundTripMs / 2);
    now += roundTripMs;
    const sample: LimitSample = {
      sentAt,
      receivedAt: now,
      kind: retryAfterMs === undefined ? 'accepted' : 'limited',
      retryAfterMs,
    };
    return { sample };
  }
  const limited = { send, probe: async () => (await send(subject.request)).sample };
  const facts = await sharingFacts(limited, subject, target, 1000);
  return facts.map(({ name, value }) => `${name}: ${value}`);
}

/** A bucket for everything that gains a token at these instants, and has none before the first. */
function bucket(gainsEveryMs: number): Limiter {
  let nextAt = gainsEveryMs;
  return (_request, now) => {
    if (now < nextAt) return nextAt - now;
    nextAt = now + gainsEveryMs;
    return undefined;
  };
}

test('a request that is accepted because a token was gained in between does not show a limit of its own', async () => {
  for (const gainsEveryMs of [1, 3, 5, 7, 10, 13, 20]) {
    const facts = await factsOf(bucket(gainsEveryMs));
    expect(facts.filter((fact) => fact.includes(': no:'))).toEqual([]);
  }
});

test('what a refusal shares is read from requests that are answered before its wait is over', async () => {
  expect(await factsOf(() => 1000)).toEqual([
    'shared between principals: yes: bob is refused with alice',
    'shared between operations: yes',
  ]);
  expect(await factsOf(({ caller }) => (caller === 'alice' ? 1000 : undefined))).toEqual([
    'shared between principals: no: bob is accepted while alice is refused',
    'shared between operations: yes',
  ]);
  expect(await factsOf(({ operation }) => (operation === 'listModels' ? 1000 : undefined))).toEqual([
    'shared between principals: yes: bob is refused with alice',
    'shared between operations: no: listDataSources and getBillingAccount are not refused',
  ]);
});

test('nothing is said of a limiter that refuses single requests, whatever wait it states', async () => {
  let ordinal = 0;
  expect(await factsOf(() => ((ordinal += 1) % 3 === 1 ? 1000 : undefined))).toEqual([
    'shared between principals: not shown: no refusal lasted long enough',
    'shared between operations: not shown: no refusal lasted long enough',
  ]);
});
