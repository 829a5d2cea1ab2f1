import { choices } from './choices/choices.ts';
import { type DataOptions, defaultDataOptions } from './data/options.ts';
import { faults } from './faults/faults.ts';
import { joinedHooks } from './hooks/joined-hooks.ts';
import type { Hooks } from './hooks/points.ts';
import { nearest } from '../core/names/nearest.ts';
import { type Rules, specification } from './rules/rules.ts';
import type { Altered, Fault, Variation } from './variation.ts';

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

/** The rules, hooks and data of a deployment. */
export type Plan = { readonly rules: Rules; readonly hooks: Hooks; readonly data: DataOptions };

/**
 * The plan of a deployment with these faults and choices. Choices come first, so that a fault bends what is chosen, and in
 * the order of their list, so that one can build on another.
 */
export function plan(faultNames: readonly string[], chosen: Readonly<Record<string, string>>): Plan {
  const variations: readonly Variation[] = Object.entries(chosen)
    .map(([axis, value]) => ({ variation: findVariation(axis, value), place: places.get(axis) ?? 0 }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ variation }) => variation);
  let rules: Rules = specification;
  const parts: Altered[] = [];
  for (const { alter } of [...variations, ...faultNames.map(findFault)]) {
    if (alter === undefined) continue;
    const part = alter(rules);
    rules = { ...rules, ...part };
    parts.push(part);
  }
  const data = variations.reduce((options, variation) => ({ ...options, ...variation.data }), defaultDataOptions);
  return { rules, hooks: joinedHooks(parts), data };
}
