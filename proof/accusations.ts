import { choices as axes } from '../reference/choices/choices.ts';
import { type Findings, judges } from './judge-deployment.ts';
import type { Finding, Trial } from './trial.ts';

/** The choices of a trial that the specification leaves a deployment free to make. */
type Choices = Trial['choices'];

/** The findings that accuse a deployment whose only peculiarity is its choices: all that the choices do not account for. */
export function accusations(findings: readonly Finding[], choices: Choices): readonly Finding[] {
  const warned = new Set<string>(chosen(choices, ({ warns }, value) => warns?.[value] ?? []));
  const blocked = new Set<string>(blockedBy(choices));
  return findings.filter(({ kind, check, requirement }) => {
    if (kind === 'warned') return !warned.has(requirement);
    if (kind === 'blocked') return !blocked.has(requirement) && !blocked.has(check);
    return true;
  });
}

/** The same of all judges; undefined where none of them accuses the deployment. */
export function accusationsOfAll({ suite, load, traffic }: Findings, choices: Choices): Findings | undefined {
  const accused: Findings = {
    suite: accusations(suite, choices),
    load: accusations(load, choices),
    traffic: accusations(traffic, choices),
  };
  return judges.some((judge) => accused[judge].length > 0) ? accused : undefined;
}

/** The requirements, and single checks of others, that the choices leave nothing to exercise on. */
export function blockedBy(choices: Choices): readonly string[] {
  return chosen(choices, ({ blocks }, value) => Object.keys(blocks?.[value] ?? {}));
}

function chosen<Id extends string>(
  choices: Choices,
  pick: (axis: (typeof axes)[number], value: string) => readonly Id[],
): Id[] {
  return axes.flatMap((axis) => pick(axis, choices[axis.axis] ?? axis.default));
}
