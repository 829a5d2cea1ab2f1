import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type ChangedFile, type Change, readChange } from '../../registry/change.ts';
import { maxVendorBytes, vendorPath } from '../../registry/vendor.ts';
import { UserError } from '../shared/user-error.ts';

/** What a change of a registry in git is compared with, and the change. */
export type GitChange = {
  readonly change: Change;
  /** The file of a vendor before the change; undefined if there was none. */
  readonly vendorBefore: (folder: string) => Promise<string | undefined>;
};

/** The most output of git to read, in bytes. */
const maxOutput = 8 * 1024 * 1024;

/** The change of a registry since its branch left another one, with what is not committed yet. Rejects with UserError. */
export async function gitChange(folder: string, base: string): Promise<GitChange> {
  const since = (await git(folder, ['merge-base', '--end-of-options', base, 'HEAD'])).trim();
  const listed = ['--no-ext-diff', '--no-textconv', '--no-renames', '--name-status', '--relative', '-z'];
  const [differences, untracked] = [
    await git(folder, ['diff', ...listed, since, '--', '.']),
    await git(folder, ['ls-files', '--others', '--exclude-standard', '-z', '--', '.']),
  ];
  const changed = pairs(differences.split('\0')).map(([letter, path]) => ({ path, status: statusOf(letter) }));
  const added = untracked.split('\0').filter((path) => path !== '');
  return {
    change: readChange([...changed, ...added.map((path) => ({ path, status: 'added' as const }))]),
    async vendorBefore(vendor) {
      const path = `${since}:./${vendorPath(vendor)}`;
      const size = await git(folder, ['cat-file', '-s', path]).catch(() => undefined);
      if (size === undefined || Number(size) > maxVendorBytes) return undefined;
      return git(folder, ['cat-file', 'blob', path]);
    },
  };
}

function pairs(fields: readonly string[]): readonly (readonly [letter: string, path: string])[] {
  return fields.flatMap((path, index) => (index % 2 === 1 ? [[fields[index - 1] ?? '', path] as const] : []));
}

function statusOf(letter: string): ChangedFile['status'] {
  if (letter === 'A') return 'added';
  return letter === 'D' ? 'removed' : 'changed';
}

async function git(folder: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', ['-C', folder, ...args], { maxBuffer: maxOutput });
    return stdout;
  } catch (error) {
    throw new UserError(`git cannot show what changed in ${folder}: ${whyGitFailed(error)}`);
  }
}

/** Why git failed, in one line. */
function whyGitFailed(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || !('stderr' in error)) return String(error);
  if (error.code === 'ENOENT') return 'it is not on the PATH. Install git.';
  const [line] = String(error.stderr).split('\n');
  if (line !== undefined && line !== '') return line;
  return error.code === 1 ? noCommonCommit : error.message;
}

/** `git merge-base` says nothing and exits with 1. */
const noCommonCommit =
  'the branch and its base have no commit in common. Fetch the whole history (git fetch --unshallow), or name another base.';
