import type { JsonObject } from '../../http/json.ts';

export function first<T>(values: Iterable<T>): T | undefined {
  for (const value of values) return value;
  return undefined;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The object in a list of one. */
export function unwrapped(body: string): string {
  return /^\[(\{.*\})\]$/s.exec(body)?.[1] ?? body;
}

/** Gives a record other values in those fields. */
export function set(fields: JsonObject): (record: JsonObject) => JsonObject {
  return (record) => ({ ...record, ...fields });
}

/** A record without some of its fields. */
export function without(record: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** A record without the fields that are null. */
export function withoutNulls(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

/** A time in whole seconds. */
export function secondOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
