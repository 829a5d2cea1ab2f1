import { expect, test } from 'vitest';
import type { Principal } from '../../core/target.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

/** Who writes: an admin of all that is concerned, another principal, or nobody who is known. */
type Writer = 'admin' | 'stranger' | 'nobody';

/** What becomes of a write: it is carried out, carried out although it is refused, or only answered with that status. */
type Fate = 'done' | 'done and refused' | number;

const writing =
  (writer: Writer, fate: Fate): Through =>
  (behind, _clock, { principals, billingAccounts }) =>
  async (request) => {
    const [, kind, id = ''] = /(organizations|billing-accounts)\/([^/?]+)/.exec(request.path) ?? [];
    if (kind === undefined || request.method === 'GET') return behind(request);
    const owner = kind === 'organizations' ? id : billingAccounts.find((one) => one.id === id)?.owner;
    const attached = kind === 'organizations' ? undefined : /"organizationId":"(\w+)"/.exec(String(request.body))?.[1];
    const isAdmin = ({ adminOf }: Principal): boolean =>
      [owner, attached ?? owner].every((one) => one !== undefined && adminOf.includes(one));
    const caller = principals.find(({ key }) => request.headers['authorization'] === `Bearer ${key}`);
    const admin = principals.find(isAdmin);
    const who: Writer = caller === undefined ? 'nobody' : isAdmin(caller) ? 'admin' : 'stranger';
    if (who !== writer || admin === undefined) return behind(request);
    const asAdmin = { ...request, headers: { ...request.headers, authorization: `Bearer ${admin.key}` } };
    if (fate === 'done') return behind(asAdmin);
    if (fate === 'done and refused') {
      await behind(asAdmin);
      return behind(request);
    }
    return fate < 300 ? { ...(await behind(request)), status: fate } : errorAnswer(fate);
  };

const [deletion, attachment] = ['deleteDataSource', 'attachOrganization'] as const;
const isGone = 'failed: expected .* still listed; got it is gone';

test.each([
  ['stranger', 'done', `access.denied-no-effect/${deletion}`, isGone],
  ['stranger', 'done', `access.denied-no-effect/${deletion}/at-last`, 'blocked: this run deleted .* later'],
  [
    'stranger',
    'done',
    `access.denied/${deletion}`,
    'failed: expected no 2xx for alice, not a declared admin, deleting',
  ],
  ['stranger', 'done', `access.denied-no-effect/${attachment}`, 'failed: expected organizationCount still 1; got'],
  [
    'stranger',
    'done',
    `access.denied-no-effect/${attachment}/then-granted`,
    'blocked: no organization was attached after',
  ],
  [
    'stranger',
    'done',
    `access.denied-no-effect/${attachment}/at-last`,
    'blocked: this run attached every organization whose',
  ],
  ['stranger', 'done and refused', `access.denied-no-effect/${deletion}`, isGone],
  ['stranger', 'done and refused', `access.denied-no-effect/${deletion}/at-last`, isGone],
  [
    'stranger',
    'done and refused',
    `access.denied-no-effect/${attachment}`,
    'failed: expected organizationCount still 1; got',
  ],
  ['stranger', 200, `access.denied/${deletion}`, 'failed: expected no 2xx for alice, not a declared admin, deleting'],
  [
    'stranger',
    200,
    `access.denied/${deletion}/deleted`,
    'failed: expected no 2xx for bob, .* already deleted; got 200',
  ],
  ['stranger', 200, `access.no-disclosure/${deletion}`, 'blocked: no deletion was denied'],
  ['stranger', 200, `access.denied-no-effect/${deletion}/at-last`, 'blocked: this run deleted .* later'],
  ['stranger', 403, `access.denied/${deletion}`, undefined],
  ['stranger', 403, `access.denied-no-effect/${deletion}`, undefined],
  ['stranger', 403, `access.denied-no-effect/${attachment}`, undefined],
  ['stranger', 403, `access.denied-no-effect/${attachment}/at-last`, undefined],
  [
    'nobody',
    'done and refused',
    'auth.no-effect/sendMessage',
    'failed: expected a message of its own for the key of a refused',
  ],
  ['nobody', 'done and refused', `auth.no-effect/${attachment}`, 'failed: expected organizationCount still 1; got 2'],
  ['nobody', 'done and refused', `auth.no-effect/${deletion}`, isGone],
  ['nobody', 'done and refused', `auth.no-effect/${deletion}/at-last`, isGone],
  ['nobody', 200, `auth.no-key/${deletion}`, 'failed: expected 401 without a key; got 200'],
  ['nobody', 200, `auth.unknown-key/${deletion}`, 'failed: expected 401 for an unknown key; got 200'],
  ['nobody', 200, `auth.empty-token/${deletion}`, 'failed: expected 401 for a Bearer header without a token; got 200'],
  [
    'nobody',
    200,
    `auth.truncated-key/${deletion}`,
    'failed: expected 401 for a valid key without its last character; got 200',
  ],
  [
    'nobody',
    200,
    `auth.altered-key/${deletion}`,
    'failed: expected 401 for a valid key with one character changed elsewhere',
  ],
  ['nobody', 200, `auth.error-body/${deletion}`, 'blocked: no request was answered 401'],
  ['nobody', 200, 'auth.no-key/sendMessage/repeated', 'failed: expected 401 for no key, repeating a message; got 200'],
  ['nobody', 200, 'auth.unknown-key/sendMessage/repeated', 'failed: expected 401 for an unknown key, repeating a'],
  ['nobody', 200, `auth.no-effect/${deletion}/at-last`, 'blocked: this run deleted .* later'],
  ['nobody', 403, 'auth.no-key/sendMessage', 'failed: expected 401 without a key; got 403'],
  ['nobody', 403, 'auth.wrong-scheme/sendMessage', 'failed: expected 401 for a valid key under .*; got 403'],
  [
    'nobody',
    403,
    'auth.before-lookup/sendMessage',
    'failed: expected 401 for no key, asking about something that exists',
  ],
  ['nobody', 403, 'auth.no-effect/sendMessage', undefined],
  ['nobody', 403, `auth.no-effect/${deletion}`, undefined],
  ['admin', 403, 'auth.no-effect/sendMessage', 'blocked: chat .* accepts no message: 403'],
  [
    'admin',
    403,
    'access.granted/sendMessage',
    'blocked: chat .* gets the same answer as a chat that does not exist: 403',
  ],
  ['admin', 403, 'access.foreign-path/sendMessage', 'blocked: chat .* accepts no message: 403'],
  [
    'admin',
    403,
    `access.granted/${deletion}`,
    'failed: expected 2xx for dave, a declared admin, deleting a data source; got 403',
  ],
  ['admin', 403, `access.denied/${deletion}`, 'blocked: deleting .* was refused: 403'],
  ['admin', 403, `access.foreign-path/${deletion}`, 'blocked: deleting .* was refused: 403'],
  [
    'admin',
    403,
    `access.granted/${attachment}`,
    'failed: expected 2xx for dave, a declared admin of both, attaching org_pair',
  ],
  ['admin', 403, `access.denied-no-effect/${attachment}/then-granted`, 'blocked: attaching org_new was refused: 403'],
  ['admin', 403, `access.denied-no-effect/${attachment}/attached`, 'blocked: attaching org_new was refused: 403'],
] as const)('writes of %s: %s, to %s', async (writer, fate, id, said) => {
  expect(await saidBy(id, { through: writing(writer, fate) })).toEqual(
    said === undefined ? [] : [expect.stringMatching(new RegExp(`^${said}`))],
  );
});

test('a denied deletion that is made later in another organization is found in a run of that check alone, too', async () => {
  const said = await saidBy(`access.denied-no-effect/${deletion}/at-last`, {
    faults: ['denied-deletion-of-members-queued'],
  });
  expect(said).toEqual([expect.stringMatching(new RegExp(`^${isGone}`))]);
});
