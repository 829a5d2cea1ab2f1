import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

/** That stranger reads a list of the organization that was attached last as an admin of it does. */
const letIn =
  (which: number, list: 'data-sources' | 'models'): NonNullable<TrialOptions['through']> =>
  (behind, _clock, { principals }) => {
    const attached = new Set<string>();
    return async (request) => {
      const answer = await behind(request);
      const { method, path, body, headers } = request;
      const isAttachment = method === 'POST' && path.includes('/billing-accounts/') && answer.status < 300;
      if (isAttachment) attached.add(JSON.parse(String(body)).organizationId);
      const [last = ''] = [...attached].slice(-1);
      if (method !== 'GET' || last === '' || !path.includes(`/${last}/${list}`)) return answer;
      const strangers = principals.filter(({ adminOf }) => !adminOf.includes(last));
      if (headers['authorization'] !== `Bearer ${strangers[which]?.key}`) return answer;
      const admin = principals.find(({ adminOf }) => adminOf.includes(last));
      return behind({ ...request, headers: { ...headers, authorization: `Bearer ${admin?.key}` } });
    };
  };

test.each([
  [0, 'data-sources', 'access.denied/listDataSources/in-sequence'],
  [1, 'data-sources', 'access.denied/listDataSources/in-sequence'],
  [0, 'models', 'access.models-404/in-sequence'],
  [1, 'models', 'access.models-404/in-sequence'],
] as const)('stranger %i reads the %s of the organization that was attached last', async (which, list, id) => {
  const through = letIn(which, list);
  expect(await saidBy(id, { through, seed: 2, after: ['attach.count/in-sequence'] })).toEqual([
    expect.stringMatching(/^failed: expected no 2xx for /),
  ]);
});
