import { rm, writeFile } from 'node:fs/promises';
import type { Command } from '@commander-js/extra-typings';
import { createKeys, keyId, readPublicKey } from '../../../certificates/bundle/keys.ts';
import { errorCode } from '../../../core/error-code.ts';
import type { Context } from '../../shared/context.ts';
import { someText } from '../../shared/option-values.ts';
import { UserError } from '../../shared/user-error.ts';
import { cannotWrite } from '../../shared/write-whole.ts';

/** `awc keygen`: a pair of keys for certificates. */
export function configure(command: Command, context: Context): void {
  command
    .requiredOption(
      '--out <file>',
      'the file for the private key; the public key is written beside it, with .pub',
      someText,
    )
    .action(async ({ out }) => {
      const { privateKey, publicKey } = createKeys();
      await writeNew(out, privateKey, 0o600);
      await writeNew(`${out}.pub`, publicKey, 0o644).catch(async (error: unknown) => {
        await rm(out, { force: true }); // half a pair is of no use
        throw error;
      });
      context.out.write(
        `${out}      private key: keep it secret\n${out}.pub  public key, for those who verify: ${keyId(readPublicKey(publicKey, out))}\n`,
      );
      context.end(0);
    });
}

/** Never overwrites a key. */
async function writeNew(path: string, text: string, mode: number): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode, flush: true });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') {
      throw new UserError(`${path} already exists, and awc keygen never overwrites a key: name another file.`);
    }
    throw cannotWrite(path, error);
  }
}
