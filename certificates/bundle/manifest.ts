import { shown } from '../../core/text.ts';
import { digestedFiles } from './bundle.ts';
import { sha256 } from '../../core/hash.ts';

/** The digests of the files, as `sha256sum --check` reads them. */
export function renderManifest(files: ReadonlyMap<string, Uint8Array>): string {
  return digestedFiles.map((name) => `${sha256(files.get(name) ?? new Uint8Array())}  ${name}\n`).join('');
}

/** The differences between the files and the manifest. */
export function manifestProblems(manifest: string, files: ReadonlyMap<string, Uint8Array>): readonly string[] {
  if (manifest === renderManifest(files)) return [];
  const digests = new Map(manifest.split('\n').map((line) => [line.slice(66), line.slice(0, 64)]));
  digests.delete('');
  const altered = digestedFiles.flatMap((name) => {
    const bytes = files.get(name);
    if (bytes === undefined) return []; // the reader of the bundle reports it
    if (!digests.has(name)) return [`manifest.sha256 does not name ${name}`];
    return digests.get(name) === sha256(bytes)
      ? []
      : [`${name} was altered: its SHA-256 is not the one in manifest.sha256`];
  });
  const known: readonly string[] = digestedFiles;
  const added = [...digests.keys()].filter((name) => !known.includes(name)).slice(0, 4);
  const all = [
    ...altered,
    ...added.map((name) => `manifest.sha256 names ${shown(name, 80)}, which is not a file of a bundle`),
  ];
  return all.length > 0 ? all : ['manifest.sha256 is not in its canonical form'];
}
