import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { Malformed } from '../certificates/bundle/bundle.ts';
import { openEnvelope, sealEnvelope } from '../certificates/bundle/envelope.ts';
import { keyId, publicPem, readPublicKey } from '../certificates/bundle/keys.ts';
import { parseStrictJson, readStrictJson } from '../certificates/bundle/strict-json.ts';
import { folderOf, isName } from './names.ts';

/** The largest size of the file of a vendor, in bytes. */
export const maxVendorBytes = 256 * 1024;

const maxRotations = 50;

const vendorSchema = z.strictObject({
  format: z.literal('awc-vendor/1'),
  vendor: z.string().refine(isName),
  /** The first key that the vendor registered, in PEM. */
  key: z.string().max(1000),
  /** Each a DSSE envelope, signed with the key before, in which that key names the next one. */
  rotations: z.array(z.json()).max(maxRotations),
});

/** The file of a vendor: `vendors/<folder>.json`. */
type VendorFile = z.infer<typeof vendorSchema>;

/** A vendor with its keys, oldest first. The last one signs what is new. */
export type Vendor = { readonly file: VendorFile; readonly keys: readonly KeyObject[] };

const statementType = 'https://in-toto.io/Statement/v1';
const rotationType = 'urn:awc:key-rotation:1';

const rotationSchema = z.strictObject({
  _type: z.literal(statementType),
  subject: z.tuple([z.strictObject({ name: z.literal('public key'), digest: z.strictObject({ sha256: z.string() }) })]),
  predicateType: z.literal(rotationType),
  predicate: z.strictObject({ vendor: z.string(), key: z.string().max(1000) }),
});

/** The path of the file of a vendor in a registry. */
export function vendorPath(folder: string): string {
  return `vendors/${folder}.json`;
}

/** The file of a vendor that registers its first key. */
export function newVendor(vendor: string, key: KeyObject): VendorFile {
  return { format: 'awc-vendor/1', vendor, key: publicPem(key), rotations: [] };
}

/** The file with one more key, signed with the latest one. Throws Malformed if another key signs, or the new one is not new. */
export function rotated({ file, keys }: Vendor, latest: KeyObject, next: KeyObject): VendorFile {
  const current = keys.at(-1);
  if (current === undefined || keyId(current) !== keyId(latest)) {
    throw new Malformed('the old key is not the latest key of this vendor');
  }
  const statement = {
    _type: statementType,
    subject: [{ name: 'public key', digest: { sha256: digestOf(next) } }],
    predicateType: rotationType,
    predicate: { vendor: file.vendor, key: publicPem(next) },
  };
  const envelope = z.json().parse(JSON.parse(sealEnvelope(JSON.stringify(statement), latest)));
  const longer = { ...file, rotations: [...file.rotations, envelope] };
  return readVendor(JSON.stringify(longer), folderOf(file.vendor)).file;
}

/** Reads the file of a vendor and follows its rotations. Throws Malformed. */
export function readVendor(text: string, folder: string): Vendor {
  const what = vendorPath(folder);
  const file = readStrictJson(vendorSchema, text, what);
  if (folderOf(file.vendor) !== folder) throw new Malformed(`${what} is the file of another vendor`);
  let latest = readPublicKey(file.key, `key in ${what}`);
  const keys = [latest];
  for (const [index, envelope] of file.rotations.entries()) {
    latest = nextKey(JSON.stringify(envelope), `rotation ${index + 1} in ${what}`, latest, file.vendor);
    if (keys.some((key) => keyId(key) === keyId(latest))) throw new Malformed(`${what} registers a key twice`);
    keys.push(latest);
  }
  return { file, keys };
}

function nextKey(envelope: string, what: string, latest: KeyObject, vendor: string): KeyObject {
  const statement = rotationSchema.safeParse(parseStrictJson(openEnvelope(envelope, what, latest), what));
  if (!statement.success) throw new Malformed(`${what} is signed, but it is not about a key`);
  const { subject, predicate } = statement.data;
  const key = readPublicKey(predicate.key, `the key of ${what}`);
  if (predicate.vendor !== vendor) throw new Malformed(`${what} is about another vendor`);
  if (subject[0].digest.sha256 !== digestOf(key)) throw new Malformed(`${what} has the digest of another key`);
  return key;
}

function digestOf(key: KeyObject): string {
  return keyId(key).replace(/^sha256:/, '');
}

/** Why the file of a vendor may not change like this: keys are only added, because they signed what is in the registry. */
export function vendorChangeProblem(before: Vendor, after: Vendor): string | undefined {
  const kept = after.keys.slice(0, before.keys.length).map(keyId);
  const isSame = before.file.vendor === after.file.vendor && before.keys.every((key, at) => kept[at] === keyId(key));
  return isSame
    ? undefined
    : 'a registered key was changed or removed: a new key needs a rotation signed with the old one';
}
