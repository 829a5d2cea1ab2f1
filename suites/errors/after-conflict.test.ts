import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { runChecks } from '../../testing/run-checks.ts';
import { suites } from '../index.ts';
import { invariants } from './invariants.ts';

test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
  ['passed', [], {}],
  ['passed', [], { 'key-after-conflict': 'used-up' }],
  ['violated', ['key-after-conflict-500'], {}],
])(
  'the key of a message that was refused with 409 is sent again: %s with %j and %j',
  async (verdict, faults, choices) => {
    const clock = virtualClock();
    const { deployment, target } = createReference({ clock, seed: 1, faults, choices });
    const session = createSession({ deployment, target, clock, seed: 1, invariants });
    const checks = suites.filter(({ id }) => id === 'conflict.no-trace' || id === 'errors.no-5xx');
    const judged = await runChecks(checks, session);
    expect(judged.find(({ check }) => check.id === 'errors.no-5xx')?.verdict).toMatchObject({ kind: verdict });
  },
);
