import type { RequirementId } from '../spec/catalogue.ts';
import type { DataOptions } from './data/options.ts';
import type { Rules } from './rules/rules.ts';

/** One wrong decision. */
export type Fault = {
  /** Stable, in kebab-case. */
  readonly name: string;
  /** The requirement whose check must see it. */
  readonly breaks: RequirementId;
  /** The bug, as its vendor would describe it. */
  readonly sentence: string;
  /** Choices that leave it nothing to go wrong on, by axis. */
  readonly idle?: Readonly<Record<string, readonly string[]>>;
  /** The rules that go wrong; it may request the right ones. */
  readonly alter: (rules: Rules) => Partial<Rules>;
};

/** A legal way to be. An empty one is the reference's own. */
export type Variation = {
  readonly data?: Partial<DataOptions>;
  readonly alter?: (rules: Rules) => Partial<Rules>;
};

/** Something that the specification leaves open, with ways in which a deployment may fill it in. */
export type Choice = {
  /** Stable, in kebab-case. */
  readonly axis: string;
  readonly section: string;
  /** What is open. */
  readonly sentence: string;
  readonly values: Readonly<Record<string, Variation>>;
  /** The value that the reference has unless told otherwise. */
  readonly default: string;
  /** Shoulds that a value of this axis may leave unheeded, by value. */
  readonly warns?: Readonly<Record<string, readonly RequirementId[]>>;
  /** Musts that a value of this axis leaves nothing to exercise on, by value, with the reason. */
  readonly blocks?: Readonly<Record<string, Readonly<Partial<Record<RequirementId, string>>>>>;
};
