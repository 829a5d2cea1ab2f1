import { z } from 'zod';

type Schema = z.core.$ZodType;

/** Keys and array indices from the root down. */
export type Path = readonly (string | number)[];

/** A schema without its wrappers, with the fields or the element that it declares. */
export type Outline = {
  readonly schema: Schema;
  /** Whether a wrapper allows null. */
  readonly nullable: boolean;
  readonly fields?: ReadonlyMap<string, Schema>;
  readonly element?: Schema;
  /** The most items an array may have. */
  readonly maxItems: number;
};

// Schemas never change, and inspecting one costs more than checking a value, so each is inspected once.
const outlines = new WeakMap<Schema, Outline>();

/** The outline of a schema without optional and nullable. */
export function outlineOf(schema: Schema): Outline {
  const known = outlines.get(schema);
  if (known !== undefined) return known;
  let inner = schema;
  let nullable = false;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) {
    nullable ||= inner instanceof z.ZodNullable;
    inner = inner.unwrap();
  }
  const outline: Outline = {
    schema: inner,
    nullable,
    ...(inner instanceof z.ZodObject ? { fields: new Map(Object.entries(inner.shape)) } : {}),
    ...(inner instanceof z.ZodArray ? { element: inner.element } : {}),
    maxItems: maxItemsOf(inner),
  };
  outlines.set(schema, outline);
  return outline;
}

/**
 * Visits every value that the schema declares, parents first, in the order of the schema. It does not enter absent fields,
 * undeclared fields, and values of another kind than declared, so the depth is that of the schema, never that of the body. The path
 * is valid only during the call of `visit`.
 */
export function walk(
  schema: Schema,
  value: unknown,
  visit: (outline: Outline, value: unknown, path: Path) => void,
  path: (string | number)[] = [],
): void {
  const outline = outlineOf(schema);
  visit(outline, value, path);
  if (outline.element !== undefined && Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      path.push(index);
      walk(outline.element, value[index], visit, path);
      path.pop();
    }
  } else if (outline.fields !== undefined && isRecord(value)) {
    for (const [key, field] of outline.fields) {
      if (!Object.hasOwn(value, key)) continue;
      path.push(key);
      walk(field, value[key], visit, path);
      path.pop();
    }
  }
}

/** Whether a value is a JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function maxItemsOf(schema: Schema): number {
  const checks = schema._zod.def.checks ?? [];
  const maxima = checks.map((check) =>
    check instanceof z.core.$ZodCheckMaxLength ? check._zod.def.maximum : Infinity,
  );
  return Math.min(Infinity, ...maxima);
}
