/** The areas of the API, in the order of reports, each with the first parts of its requirements' ids. */
export const areas = {
  authentication: ['auth'],
  access: ['access'],
  lists: ['paging'],
  models: ['models'],
  'data-sources': ['sources'],
  deletion: ['delete'],
  messages: ['messages', 'message', 'wait'],
  idempotency: ['idempotency'],
  conflict: ['conflict'],
  billing: ['billing', 'attach'],
  errors: ['errors', 'formats', 'robustness'],
  'rate-limit': ['rate'],
  durability: ['durability'],
  service: ['service'],
} as const;

export type Area = keyof typeof areas;

const byPrefix: ReadonlyMap<string, string> = new Map(
  Object.entries(areas).flatMap(([area, prefixes]) => prefixes.map((prefix) => [prefix, area] as const)),
);

/** The area of a requirement or check; undefined for a vendor's own check. */
export function areaOf(id: string): string | undefined {
  return byPrefix.get(id.split('.', 1)[0] ?? id);
}
