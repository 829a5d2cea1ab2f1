import type { Area } from './areas.ts';
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
import { models } from './models.ts';
import { rateLimit } from './rate-limit.ts';
import type { Requirement } from './requirement.ts';
import { service } from './service.ts';

/** The requirements of each area, in the order of reports. */
export const catalogueByArea = {
  authentication,
  access,
  lists,
  models,
  'data-sources': dataSources,
  deletion,
  messages,
  idempotency,
  conflict,
  billing,
  errors,
  'rate-limit': rateLimit,
  durability,
  service,
} satisfies Readonly<Record<Area, readonly Requirement[]>>;

export type RequirementId = (typeof catalogueByArea)[Area][number]['id'];

/** Every requirement of the specification, in the same order. */
export const catalogue: readonly Requirement<RequirementId>[] = Object.values(catalogueByArea).flat();

const byId = new Map(catalogue.map((requirement) => [requirement.id, requirement]));

/** The requirement of that id. */
export function requirement(id: RequirementId): Requirement<RequirementId> {
  const found = byId.get(id);
  if (found === undefined) throw new Error(`no requirement ${id}`);
  return found;
}
