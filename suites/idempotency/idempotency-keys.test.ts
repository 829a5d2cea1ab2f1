import { expect, test } from 'vitest';
import type { Principal, Target } from '../../core/target.ts';
import { runTrial, type TrialOptions } from '../../proof/trial.ts';
import { idempotencyKeys } from './idempotency-keys.ts';

/** The one admin of every declared chat, and the admin whose key the reference takes for the chats of org_other. */
function adminsIn(target: Target): readonly [Principal | undefined, Principal | undefined] {
  const named = (name: string) => target.principals.find((principal) => principal.name === name);
  return [named('alice'), named('erin')];
}

/** Alice is admin of every organization that has chats. */
const oneAdmin: TrialOptions = {
  checks: idempotencyKeys.filter(({ requirement }) => requirement === 'idempotency.other-chat'),
  part: (target) => {
    const [alice, erin] = adminsIn(target);
    if (alice === undefined || erin === undefined) return target;
    return { ...target, principals: [{ ...alice, adminOf: [...alice.adminOf, ...erin.adminOf] }] };
  },
  through: (deployment, _clock, target) => async (request) => {
    const [, erin] = adminsIn(target);
    const isErins = erin?.adminOf.some((id) => request.path.includes(`/${encodeURIComponent(id)}/`)) === true;
    const authorization = `Bearer ${erin?.key ?? ''}`;
    return deployment(isErins ? { ...request, headers: { ...request.headers, authorization } } : request);
  },
};

test('a key is tried in two chats of one organization although its admin has chats in several', async () => {
  const findings = await runTrial({ seed: 1, faults: ['key-per-organization'], choices: {} }, oneAdmin);
  expect(findings.map(({ requirement, kind }) => [requirement, kind])).toEqual([['idempotency.other-chat', 'failed']]);
});

test('a key that is unique in its chat is accused in none of them', async () => {
  expect(await runTrial({ seed: 1, faults: [], choices: {} }, oneAdmin)).toEqual([]);
});
