import { access } from './access.ts';
import { authentication } from './authentication.ts';
import { billing } from './billing.ts';
import { conflict } from './conflict.ts';
import { dataSources } from './data-sources.ts';
import { deletion } from './deletion.ts';
import { durability } from './durability.ts';
import { errors } from './errors.ts';
import { idempotency } from './idempotency.ts';
import { lists } from './lists.ts';
import { messages } from './messages.ts';
import { modelSense } from './model-sense.ts';
import { models } from './models.ts';
import { rateLimit } from './rate-limit.ts';
import type { Requirement } from './requirement.ts';
import { unobservable } from './unobservable.ts';

const all = [
  ...authentication,
  ...access,
  ...lists,
  ...models,
  ...modelSense,
  ...dataSources,
  ...deletion,
  ...messages,
  ...idempotency,
  ...conflict,
  ...billing,
  ...errors,
  ...rateLimit,
  ...durability,
  ...unobservable,
] as const;

export type RequirementId = (typeof all)[number]['id'];

/** Every promise of the specification, in the order in which reports show them. */
export const catalogue: readonly (Requirement & { readonly id: RequirementId })[] = all;

const byId = new Map(catalogue.map((requirement) => [requirement.id, requirement]));

/** The requirement of that id. */
export function requirement(id: RequirementId): Requirement & { readonly id: RequirementId } {
  const found = byId.get(id);
  if (found === undefined) throw new Error(`no requirement ${id}`);
  return found;
}
