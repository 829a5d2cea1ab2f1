import type { KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { Malformed } from '../../certificates/bundle/bundle.ts';
import { UserError } from '../shared/user-error.ts';

/** A longer file is no key, in bytes. */
const maxBytes = 16 * 1024;

/** The key in a file. Rejects with UserError, which says nothing of what is in it. */
export async function readKey(path: string, read: (pem: string, what: string) => KeyObject): Promise<KeyObject> {
  try {
    const { size } = await stat(path);
    return read(size > maxBytes ? '' : await readFile(path, 'utf8'), path);
  } catch (error) {
    if (error instanceof Malformed) throw new UserError(`${error.message}.`);
    throw new UserError(`${path} is not there, or cannot be read.`);
  }
}
