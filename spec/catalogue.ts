import type { Area } from './areas.ts';
import { access } from './requirements/access.ts';
import { authentication } from './requirements/authentication.ts';
import { billing } from './requirements/billing.ts';
import { conflict } from './requirements/conflict.ts';
import { dataSources } from './requirements/data-sources.ts';
import { deletion } from './requirements/deletion.ts';
import { durability } from './requirements/durability.ts';
import { errors } from './requirements/errors.ts';
import { idempotency } from './requirements/idempotency.ts';
import { lists } from './requirements/lists.ts';
import { messages } from './requirements/messages.ts';
import { models } from './requirements/models.ts';
import { rateLimit } from './requirements/rate-limit.ts';
import type { Requirement } from './requirement.ts';
import { service } from './requirements/service.ts';

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
