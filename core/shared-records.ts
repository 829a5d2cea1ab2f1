import { sha256 } from './hash.ts';

/** In shorter bodies, records are not shared. */
export const leastSharedBytes = 64 * 1024;

/** Records whose JSON is at least this long are shared, in UTF-16 units. */
const leastLength = 1024;

/** The records that something refers to, by the digest of their JSON. */
const records = new Map<string, WeakRef<object>>();

const forget = new FinalizationRegistry((name: string) => {
  if (records.get(name)?.deref() === undefined) records.delete(name);
});

/**
 * The same JSON, with each record of its lists replaced by an equal one that was parsed before and is in use. Pages of different
 * sizes show the same records, and a run that keeps many pages then keeps each record once.
 */
export function withSharedRecords(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const lists: readonly unknown[] = Object.values(value);
  for (const list of lists) {
    if (!Array.isArray(list)) continue;
    for (const [index, record] of list.entries()) if (isObject(record)) list[index] = shared(record);
  }
  return value;
}

function isObject(record: unknown): record is object {
  return typeof record === 'object' && record !== null;
}

function shared(record: object): object {
  const text = JSON.stringify(record);
  if (text.length < leastLength) return record;
  const name = sha256(text);
  const known = records.get(name)?.deref();
  if (known !== undefined) return known;
  records.set(name, new WeakRef(record));
  forget.register(record, name);
  return record;
}
