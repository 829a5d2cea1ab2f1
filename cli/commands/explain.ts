import type { Command } from '@commander-js/extra-typings';
import { choices } from '../../reference/choices/choices.ts';
import { faults } from '../../reference/faults/faults.ts';
import { nearest } from '../../core/names/nearest.ts';
import { catalogue } from '../../spec/catalogue.ts';
import { openPoints } from '../../spec/open-points.ts';
import { errataSentences } from '../../spec/errata.ts';
import { currentRevision } from '../../spec/revisions/revisions.ts';
import { suites } from '../../suites/index.ts';
import { judged } from '../../traffic/seen-in.ts';
import type { Context } from '../shared/context.ts';
import { UserError } from '../shared/user-error.ts';

/** `awc explain ID`: one requirement or open point, its checks and its faults. */
export function configure(command: Command, context: Context): void {
  command.argument('<id>', 'a requirement, a check or an open point').action((id) => {
    context.out.write(`${explain(id).join('\n')}\n`);
  });
}

function explain(id: string): readonly string[] {
  const check = suites.find((candidate) => candidate.id === id);
  const requirement = catalogue.find((candidate) => candidate.id === (check?.requirement ?? id));
  const point = openPoints.find((candidate) => candidate.point === id);
  const open = point && [`${id}  observed, section ${point.section}`, `  ${point.sentence}`];
  if (requirement === undefined) return open ?? unknown(id);

  const { level, section, sentence, operations, unobservable } = requirement;
  const checks = suites.filter((candidate) => candidate.requirement === requirement.id);
  const breaking = faults.filter(({ breaks }) => breaks === requirement.id);
  return [
    `${requirement.id}  ${level}, section ${section}`,
    `  ${sentence}`,
    `  Operations: ${operations.length === 0 ? 'none' : operations.join(', ')}`,
    ...errataSentences(currentRevision.errata, requirement.id).map((line) => `  ${line}`),
    ...(unobservable === undefined ? [] : [`  Unobservable: no caller can observe it. ${unobservable}`]),
    ...(judged.has(requirement.id) ? ['  awc check-traffic judges it too.'] : []),
    ...titled(
      'Checks',
      checks.map(
        ({ id: own, uses, mayUse }) => `${own}${noted('needs allow', uses)}${noted('uses if allowed', mayUse)}`,
      ),
    ),
    ...titled(
      'Faults they catch',
      breaking.map((fault) => `${fault.name}: ${fault.sentence}`),
    ),
    ...titled('Legal choices under which it may not hold', choicesThatWarn(requirement.id)),
    ...(open === undefined ? [] : ['', ...open]),
  ];
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

/** A legal deployment may violate a should. */
function choicesThatWarn(id: string): readonly string[] {
  return choices.flatMap(({ axis, warns = {} }) =>
    Object.entries(warns).flatMap(([value, ids]) => (ids.some((one) => one === id) ? [`${axis}=${value}`] : [])),
  );
}

function noted(how: string, effects: readonly string[]): string {
  return effects.length === 0 ? '' : `  (${how}: ${effects.join(', ')})`;
}

function unknown(id: string): never {
  const ids = [...catalogue.map((requirement) => requirement.id), ...openPoints.map(({ point }) => point)];
  throw new UserError(`there is no requirement "${id}". The nearest: ${nearest(id.slice(0, 100), ids).join(', ')}.`);
}
