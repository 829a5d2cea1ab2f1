import { shown } from '../core/text.ts';

/** The longest name of a vendor or a product, and the longest version, in characters. */
export const maxName = 80;
const maxFolder = 64;

/** The folder of a name: its Latin letters and digits in lower case, joined with hyphens. Empty if it has none. */
export function folderOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxFolder)
    .replace(/^-+|-+$/g, '');
}

/** Whether a folder can be that of a name: nothing that leads out of the registry. */
export function isFolderName(name: string): boolean {
  return name !== '' && folderOf(name) === name;
}

/** Whether it is a version: lower-case, because file systems differ in whether case matters. */
export function isVersion(version: string): boolean {
  return /^[0-9a-z]([0-9a-z.+_-]{0,62}[0-9a-z])?$/.test(version) && !version.includes('..');
}

/** Whether a name of a vendor or a product can be shown as it is, and has a folder. */
export function isName(name: string): boolean {
  return name.length <= maxName && name.trim() === name && shown(name) === name && folderOf(name) !== '';
}
