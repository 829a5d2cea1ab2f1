/** For tests: bundles that take seconds to make, kept beside the package that was built of the same sources. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bundle } from '../certificates/bundle/bundle.ts';
import { readBundle } from '../cli/certificates/read-bundle.ts';
import { writeBundle } from '../cli/certificates/write-bundle.ts';
import { sha256 } from '../core/hash.ts';

/** What comes before the 32 bytes of an ed25519 key in PKCS #8. */
const beforeKey = '302e020100300506032b657004220420';

/** The same key for the same name, so that other processes know who signed a bundle that is kept. */
export function keyOfName(name: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(`${beforeKey}${sha256(name)}`, 'hex'), format: 'der', type: 'pkcs8' });
}

/** The bundle of that name, made if no other process has made it of these sources. The name says all that it is made from. */
export async function keptBundle(name: string, make: () => Promise<Bundle>): Promise<Bundle> {
  const { inject } = await import('vitest'); // commands that share other helpers with tests run without it
  const kept = inject('built')?.bundles;
  if (kept === undefined) return make();
  const folder = join(kept, sha256(`${process.version} ${name}`));
  const read = await readBundle(folder).catch(() => undefined);
  if (read !== undefined) return read.bundle;
  const made = await make();
  await mkdir(kept, { recursive: true });
  await writeBundle(folder, made).catch(() => undefined); // another process was faster
  return made;
}
