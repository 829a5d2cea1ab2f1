import { shown } from '../../core/text.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import type { Registration } from './protocol.ts';

/** Why a part does not belong to the load of the first one; undefined if it does. */
export function whyNotSame(one: Registration, of: number, first: Registration | undefined): string | undefined {
  if (one.of !== of) return `it is one of ${one.of} parts, and this load has ${of}`;
  if (first === undefined) return undefined;
  const other = (what: string, own: string, theirs: string) =>
    own === theirs ? undefined : `its ${what} is ${shown(own)}, and that of the others is ${shown(theirs)}`;
  return (
    other('version of the suite', one.suite, first.suite) ??
    other('seed', String(one.seed), String(first.seed)) ??
    other('profile', one.profile.name, first.profile.name) ??
    other('digest of the profile', one.profile.digest, first.profile.digest) ??
    other('target', one.target, first.target)
  );
}

type Expected = Registration & { readonly part: number };

/** Why a record is not the one of a part; undefined if it is. */
export function whyNotOf(record: LoadRecord, { part, of, seed, profile }: Expected): string | undefined {
  const { shards } = record;
  const isPart = shards.of === of && shards.indexes.length === 1 && shards.indexes[0] === part;
  const isSame = record.seed === seed && record.profile.digest === profile.digest;
  return isPart && isSame ? undefined : 'its record is of another part or of another load';
}
