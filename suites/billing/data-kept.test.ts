import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';

const page = Buffer.from('{"data":[],"pagination":{"nextCursor":null,"hasMore":false}}');

/** From the first attachment on, these organizations have no models and no data sources. */
const emptying =
  (isEmptied: (organization: string) => boolean) =>
  (behind: Deployment): Deployment => {
    let isAttached = false;
    return async (request) => {
      const answer = await behind(request);
      if (request.method === 'POST' && request.path.includes('/billing-accounts/'))
        isAttached ||= answer.status === 200;
      const [, organization] = /\/organizations\/([^/]+)\/(?:models|data-sources)/.exec(request.path) ?? [];
      const isList = request.method === 'GET' && answer.status === 200 && organization !== undefined;
      return isList && isAttached && isEmptied(organization) ? { ...answer, body: page } : answer;
    };
  };

/** Checks that attach several organizations with data. */
const attaching = ['attach.count/at-once', 'attach.count/in-sequence'];

const lost = /^blocked: .* lost all models or data sources: other traffic may have deleted them/;

test.each([
  ['none', () => false, []],
  ['one that is attached', (id) => id === 'org_pair', [lost]],
  ['one that is not attached', (id) => id === 'org_other', []],
  ['all', () => true, [lost]],
  [
    'those that are attached',
    (id) => ['org_small', 'org_pair'].includes(id),
    [/^failed: expected the models and data/],
  ],
] satisfies readonly (readonly [string, (id: string) => boolean, readonly RegExp[]])[])(
  'of the organizations, %s lose everything',
  async (_which, isEmptied, said) => {
    const expected = said.map((one) => expect.stringMatching(one));
    expect(await saidBy('attach.data-kept', { through: emptying(isEmptied), after: attaching })).toEqual(expected);
  },
);
