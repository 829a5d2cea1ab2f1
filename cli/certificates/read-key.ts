import type { KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { UserError } from '../shared/user-error.ts';
import { forUser } from '../shared/for-user.ts';

/** The largest size of a key file, in bytes. */
const maxBytes = 16 * 1024;

/** The key in a file. Rejects with UserError, whose message quotes nothing from the file. */
export async function readKey(path: string, read: (pem: string, what: string) => KeyObject): Promise<KeyObject> {
  const pem = await textOf(path).catch(() => {
    throw new UserError(`${path} does not exist or cannot be read.`);
  });
  return forUser(() => read(pem, path));
}

async function textOf(path: string): Promise<string> {
  const { size } = await stat(path);
  return size > maxBytes ? '' : readFile(path, 'utf8');
}
