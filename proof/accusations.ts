import { choices as axes } from '../reference/choices/choices.ts';
import type { Finding, Trial } from './trial.ts';

/** The choices of a trial that the specification leaves a deployment free to make. */
type Choices = Trial['choices'];

/** Which findings accuse a deployment whose only peculiarity is its choices: all but those that the choices account for. */
export function accusations(findings: readonly Finding[], choices: Choices): readonly Finding[] {
  const warned = new Set(chosen(choices, ({ warns }, value) => warns?.[value] ?? []));
  const blocked = new Set<string>(blockedBy(choices));
  return findings.filter(({ kind, requirement }) => {
    if (kind === 'warned') return !warned.has(requirement);
    if (kind === 'blocked') return !blocked.has(requirement);
    return true;
  });
}

/** The requirements that the choices leave nothing to exercise on. */
export function blockedBy(choices: Choices): readonly string[] {
  return chosen(choices, ({ blocks }, value) => Object.keys(blocks?.[value] ?? {}));
}

function chosen<Id extends string>(
  choices: Choices,
  pick: (axis: (typeof axes)[number], value: string) => readonly Id[],
): Id[] {
  return axes.flatMap((axis) => pick(axis, choices[axis.axis] ?? axis.default));
}
