import type { Check } from '../../engine/check.ts';
import { createSession, type Session, type SessionOptions } from '../../engine/session/session.ts';
import { invariants } from '../errors/invariants.ts';

/**
 * The session in which the checks run. It allows only side effects that one of them declares: a fixture that many
 * checks share then has no more side effects than the selected checks need.
 */
export function openSession(
  { target, ...opened }: Pick<SessionOptions, 'deployment' | 'target' | 'clock' | 'seed' | 'outages' | 'answered'>,
  checks: readonly Check<string>[],
): Session {
  const declared = new Set(checks.flatMap(({ uses, mayUse }) => [...uses, ...mayUse]));
  const allow = new Set([...target.allow].filter((effect) => declared.has(effect)));
  return createSession({ ...opened, target: { ...target, allow }, invariants });
}
