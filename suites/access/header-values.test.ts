import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { runChecks } from '../../testing/run-checks.ts';
import { accessByQuery } from './access-by-query.ts';

/** Every principal is also admin of an organization whose ID no header can hold as it is. */
function withOrganization(target: Target, id: string): Target {
  const principals = target.principals.map((principal) => ({ ...principal, adminOf: [id, ...principal.adminOf] }));
  return { ...target, principals };
}

test.each(['org_世', 'org\n1', ' org_1'])('the ID %j of an organization is sent as headers allow', async (id) => {
  const clock = virtualClock();
  const reference = createReference({ clock, seed: 1 });
  const sent: string[] = [];
  const deployment: Deployment = (request) => {
    sent.push(...Object.values(request.headers));
    return reference.deployment(request);
  };
  const target = withOrganization(reference.target, id);
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  for (const { verdict } of await runChecks(accessByQuery, session)) expect(verdict.kind).toBe('passed');
  expect(sent).toContain(encodeURIComponent(id));
  expect(sent.filter((value) => !/^[!-~]([ -~]*[!-~])?$/.test(value))).toEqual([]);
});
