import { closeSync, openSync, readSync } from 'node:fs';
import { errorCode } from '../core/error-code.ts';
import { TargetFileError } from './target-file-error.ts';

const maxFileBytes = 1024 * 1024;

/** The text of a file, up to a bound, because a device never ends. `missing` says what to do if there is none. */
export function readBounded(path: string, missing = 'there is no such file; create one with "awc init"'): string {
  const refuse = (message: string): never => {
    throw new TargetFileError(path, [{ message }]);
  };
  const bytes = Buffer.alloc(maxFileBytes + 1);
  let length = 0;
  try {
    const descriptor = openSync(path, 'r');
    try {
      let count = -1;
      while (count !== 0 && length < bytes.length) {
        count = readSync(descriptor, bytes, length, bytes.length - length, null);
        length += count;
      }
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    refuse(messageForReadError(error, missing));
  }
  if (length > maxFileBytes) refuse('the file is over 1 MiB; shorten it');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length));
  } catch {
    return refuse('the file is not UTF-8 text; save it as UTF-8');
  }
}

function messageForReadError(error: unknown, missing: string): string {
  const code = errorCode(error);
  switch (code) {
    case 'ENOENT':
      return missing;
    case 'EISDIR':
      return 'this is a folder; name a file in it';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied; change the permissions of the file';
    default:
      return `the file cannot be read (${String(code)}); name another file`;
  }
}
