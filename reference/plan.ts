import { choices } from './choices/choices.ts';
import { type DataOptions, defaultDataOptions } from './data/options.ts';
import { faults } from './faults/faults.ts';
import { nearest } from '../core/nearest.ts';
import { type Rules, specification } from './rules/rules.ts';
import type { Fault, Variation } from './variation.ts';

const faultsByName = new Map(faults.map((fault) => [fault.name, fault]));
const places = new Map(choices.map(({ axis }, place) => [axis, place]));
const choicesByAxis = new Map(choices.map((choice) => [choice.axis, choice]));

function findFault(name: string): Fault {
  const fault = faultsByName.get(name);
  if (fault !== undefined) return fault;
  throw new Error(`There is no fault "${name}". The nearest: ${nearest(name, [...faultsByName.keys()]).join(', ')}.`);
}

function findVariation(axis: string, value: string): Variation {
  const choice = choicesByAxis.get(axis);
  if (choice === undefined) {
    throw new Error(`There is no choice "${axis}". There are: ${[...choicesByAxis.keys()].join(', ')}.`);
  }
  const variation = Object.hasOwn(choice.values, value) ? choice.values[value] : undefined;
  if (variation !== undefined) return variation;
  throw new Error(
    `The choice "${axis}" has no value "${value}". Its values: ${Object.keys(choice.values).join(', ')}.`,
  );
}

/**
 * The rules and data of a deployment with these faults and choices: choices first, so that a fault bends what is chosen,
 * and in the order of their list, so that one that builds on another finds it done.
 */
export function plan(
  faultNames: readonly string[],
  chosen: Readonly<Record<string, string>>,
): { readonly rules: Rules; readonly data: DataOptions } {
  let rules: Rules = specification;
  let data = defaultDataOptions;
  const variations = Object.entries(chosen)
    .map(([axis, value]) => ({ variation: findVariation(axis, value), place: places.get(axis) ?? 0 }))
    .toSorted((left, right) => left.place - right.place);
  for (const { variation } of variations) {
    data = { ...data, ...variation.data };
    if (variation.alter !== undefined) rules = { ...rules, ...variation.alter(rules) };
  }
  for (const name of faultNames) rules = { ...rules, ...findFault(name).alter(rules) };
  return { rules, data };
}
