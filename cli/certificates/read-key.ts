import type { KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { Malformed } from '../../certificates/bundle/bundle.ts';
import { UserError } from '../shared/user-error.ts';

/** The largest size of a key file, in bytes. */
const maxBytes = 16 * 1024;

/** The key in a file. Rejects with UserError, whose message quotes nothing from the file. */
export async function readKey(path: string, read: (pem: string, what: string) => KeyObject): Promise<KeyObject> {
  try {
    const { size } = await stat(path);
    return read(size > maxBytes ? '' : await readFile(path, 'utf8'), path);
  } catch (error) {
    if (error instanceof Malformed) throw new UserError(`${error.message}.`);
    throw new UserError(`${path} does not exist or cannot be read.`);
  }
}
