import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

/** Records whose names are words of a refusal, which names the role that is missing. */
const wordy: Through = (behind) => {
  const existing = new Set<string>();
  return async (request) => {
    const answer = await behind(request);
    const [, , , , id = ''] = request.path.split('/');
    if (answer.status !== 200) {
      const detail = existing.has(id) ? 'You are not an admin of this organization.' : 'Not found.';
      if (answer.status !== 404) return answer;
      return { ...errorAnswer(404), body: Buffer.from(JSON.stringify({ error: { title: 'NotFound', detail } })) };
    }
    existing.add(id);
    const body = JSON.parse(Buffer.from(answer.body).toString());
    if (!Array.isArray(body.data)) return answer;
    const names = { username: 'admin', referenceName: 'organization' };
    const data = body.data.map((record: object) => ({ ...record, ...names }));
    return { ...answer, body: Buffer.from(JSON.stringify({ ...body, data })) };
  };
};

test.each(['listModels', 'listDataSources', 'deleteDataSource'])(
  'access.no-disclosure/%s accuses no refusal in which a name is an ordinary word',
  async (operation) => {
    expect(await saidBy(`access.no-disclosure/${operation}`, { through: wordy })).toEqual([]);
  },
);

test('access.attach-no-disclosure accuses no refusal that repeats the organization of the request, which is the name of the account', async () => {
  const named: Through = (behind) => {
    let organizationId = '';
    return async (request) => {
      const answer = await behind(request);
      const isAttachment = request.method === 'POST' && request.path.includes('/billing-accounts/');
      if (isAttachment) organizationId = String(JSON.parse(String(request.body))?.organizationId);
      if (isAttachment && answer.status >= 400) {
        const error = { title: 'NotFound', detail: `There is no ${organizationId}.` };
        return { ...answer, body: Buffer.from(JSON.stringify({ error })) };
      }
      const isAccount =
        request.method === 'GET' && request.path.includes('/billing-accounts/') && answer.status === 200;
      if (!isAccount) return answer;
      const { data } = JSON.parse(Buffer.from(answer.body).toString());
      return { ...answer, body: Buffer.from(JSON.stringify({ data: { ...data, name: 'org_new' } })) };
    };
  };
  expect(await saidBy('access.attach-no-disclosure', { through: named })).toEqual([]);
});
