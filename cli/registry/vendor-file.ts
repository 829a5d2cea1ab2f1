import { join } from 'node:path';
import { readPrivateKey, readPublicKey } from '../../certificates/bundle/keys.ts';
import { isFolderName } from '../../registry/names.ts';
import { maxVendorBytes, readVendor, rotated, type Vendor, vendorPath } from '../../registry/vendor.ts';
import { readPlainFile } from '../certificates/read-bundle.ts';
import { forUser } from '../shared/for-user.ts';
import { readKey } from '../certificates/read-key.ts';
import type { Context } from '../shared/context.ts';
import { UserError } from '../shared/user-error.ts';
import { writeWhole } from '../shared/write-whole.ts';

/** Reads the file of a vendor. Rejects with UserError. */
export async function readVendorFile(path: string, folder: string): Promise<Vendor> {
  const bytes = await readPlainFile(path, maxVendorBytes);
  if (bytes === undefined) throw new UserError(`${path} is too large, not a plain file, or cannot be read.`);
  return forUser(() => readVendor(Buffer.from(bytes).toString('utf8'), folder));
}

export type RotateOptions = { readonly vendor: string; readonly key: string; readonly next: string };

/** Registers the next public key of a vendor by a statement that its latest key signs. */
export async function rotateKey(
  registry: string,
  { vendor, key, next }: RotateOptions,
  { out }: Context,
): Promise<number> {
  if (!isFolderName(vendor)) throw new UserError('--vendor must be the folder of the vendor, such as acme.');
  const path = join(registry, vendorPath(vendor));
  const latest = await readKey(key, readPrivateKey);
  const nextKey = await readKey(next, readPublicKey);
  const before = await readVendorFile(path, vendor);
  const file = forUser(() => rotated(before, latest, nextKey));
  await writeWhole(path, `${JSON.stringify(file, null, 2)}\n`);
  out.write(`${path} registers the next key. Commit it and send it as a change to the registry.\n`);
  return 0;
}
