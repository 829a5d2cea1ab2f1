import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

/** Each attachment goes to the account that the function chooses among those of one owner, in the order of the target file. */
const goingTo =
  (accountOf: (named: string, ofOwner: readonly string[]) => string): Through =>
  (behind, _clock, { billingAccounts }) =>
  (request) => {
    const [, named = ''] = /billing-accounts\/([^/]+)\/organizations$/.exec(request.path) ?? [];
    const owner = billingAccounts.find(({ id }) => id === named)?.owner;
    if (request.method !== 'POST' || owner === undefined) return behind(request);
    const ofOwner = billingAccounts.filter((one) => one.owner === owner).map(({ id }) => id);
    return behind({ ...request, path: request.path.replace(named, accountOf(named, ofOwner)) });
  };

/** An account counts one more from the time at which something was attached to another one of its owner. */
const risingOnce: Through = (behind, clock, { billingAccounts }) => {
  let risenAt = Number.POSITIVE_INFINITY;
  return async (request) => {
    const answer = await behind(request);
    const [, named = '', rest = ''] = /billing-accounts\/([^/]+)(.*)$/.exec(request.path) ?? [];
    const [first, , last] = billingAccounts.map(({ id }) => id);
    if (request.method === 'POST' && rest !== '' && named === last && answer.status < 300) risenAt = clock.now();
    if (request.method !== 'GET' || named !== first || answer.status !== 200 || clock.now() < risenAt) return answer;
    const { data } = JSON.parse(Buffer.from(answer.body).toString());
    const more = 1 + Math.floor((clock.now() - risenAt) / 5000);
    const shown = { data: { ...data, organizationCount: data.organizationCount + more } };
    return { ...answer, body: Buffer.from(JSON.stringify(shown)) };
  };
};

const id = 'attach.count/others-at-last';
const choices = { 'attachable-to-first': '5' };
const failed = /^failed: expected organizationCount of \S+ at most 3 after \S+ was attached to \S+; got 4$/;

test.each<[string, Through, readonly RegExp[]]>([
  ['goes to the first account of the owner', goingTo((named, [first]) => first ?? named), [failed]],
  ['goes to the account that the path names', goingTo((named) => named), []],
  ['coincides with those of another client', risingOnce, [/^blocked: /]],
])('an attachment to another account %s', async (_what, through, said) => {
  expect(await saidBy(id, { choices, through })).toEqual(said.map((one) => expect.stringMatching(one)));
});

/** Erin attaches her organization to her own account, and the first account counts it. */
const countedElsewhere: Through = (behind, _clock, { billingAccounts }) => {
  let more = 0;
  return async (request) => {
    const answer = await behind(request);
    const [, named, rest = ''] = /billing-accounts\/([^/]+)(.*)$/.exec(request.path) ?? [];
    const isFirst = named === billingAccounts[0]?.id;
    if (request.method === 'POST' && rest !== '' && !isFirst && answer.status < 300) more += 1;
    if (request.method !== 'GET' || !isFirst || answer.status !== 200) return answer;
    const { data } = JSON.parse(Buffer.from(answer.body).toString());
    const shown = { data: { ...data, organizationCount: data.organizationCount + more } };
    return { ...answer, body: Buffer.from(JSON.stringify(shown)) };
  };
};

/** The second account, of another owner, has an organization to attach. */
const withSecond: TrialOptions['part'] = (target) => ({
  ...target,
  billingAccounts: target.billingAccounts.map((account, index) =>
    index === 1 ? { ...account, attachable: ['org_other'] } : account,
  ),
});

test('an attachment to an account of another owner is counted by the first account', async () => {
  const said = await saidBy(id, { part: withSecond, through: countedElsewhere });
  expect(said).toEqual([expect.stringMatching(failed)]);
  expect(await saidBy(id, { part: withSecond })).toEqual([]);
});

test('a target with one account that organizations may be attached to', async () => {
  expect(await saidBy(id, { through: goingTo((named, [first]) => first ?? named) })).toEqual([]);
});
