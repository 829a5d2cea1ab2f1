import type { RequirementId } from '../spec/catalogue.ts';
import type { DataOptions } from './data/options.ts';
import type { Hooks } from './hooks/points.ts';
import type { Rules } from './rules/rules.ts';

/** Rules that replace earlier ones, and hooks that are added to earlier ones. */
export type Altered = Partial<Rules & Hooks>;

/** One bug. */
export type Fault = {
  /** Stable, in kebab-case. */
  readonly name: string;
  /** The requirement whose check must see it. */
  readonly breaks: RequirementId;
  /** The bug, as its vendor would describe it. */
  readonly sentence: string;
  /** Choices under which it has no effect, by axis. */
  readonly idle?: Readonly<Record<string, readonly string[]>>;
  /** The rules that it replaces, and its hooks. It may call the correct rules. */
  readonly alter: (rules: Rules) => Altered;
};

/** One legal value of an axis. An empty one is the reference's default. */
export type Variation = {
  readonly data?: Partial<DataOptions>;
  readonly alter?: (rules: Rules) => Altered;
};

/** A requirement, or one check of a requirement whose other checks are still exercised. */
export type Blockable = RequirementId | `${RequirementId}/${string}`;

/** Something that the specification leaves open, with ways in which a deployment may decide it. */
export type Choice = {
  /** Stable, in kebab-case. */
  readonly axis: string;
  readonly section: string;
  /** What is open. */
  readonly sentence: string;
  readonly values: Readonly<Record<string, Variation>>;
  /** The value that the reference has by default. */
  readonly default: string;
  /** Shoulds that a value of this axis may violate, by value. */
  readonly warns?: Readonly<Record<string, readonly RequirementId[]>>;
  /** What cannot be exercised under a value of this axis, by value, with the reason. */
  readonly blocks?: Readonly<Record<string, Readonly<Partial<Record<Blockable, string>>>>>;
};
