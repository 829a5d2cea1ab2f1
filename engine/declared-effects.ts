import type { Check } from './check.ts';
import type { Target } from '../core/target.ts';

/**
 * The target, with no side effect allowed that none of the checks declares: a story which many checks judge goes no further
 * than those that were chosen need it to.
 */
export function withDeclaredEffects(target: Target, checks: readonly Check<string>[]): Target {
  const declared = new Set(checks.flatMap(({ uses, mayUse }) => [...uses, ...mayUse]));
  return { ...target, allow: new Set([...target.allow].filter((effect) => declared.has(effect))) };
}
