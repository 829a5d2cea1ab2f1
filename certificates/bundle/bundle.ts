/** The files of a bundle, each with its largest size in bytes. */
export const bundleFiles = {
  /** The signed statement. */
  'certificate.json': 1024 * 1024,
  /** The digests of all other files but the statement. */
  'manifest.sha256': 16 * 1024,
  /** The key that signed. */
  'public-key.pem': 16 * 1024,
  /** The premises of the run. */
  'run.json': 2 * 1024 * 1024,
  /** The report of the run. */
  'report.json': 32 * 1024 * 1024,
  /** Everything that the run received. */
  'exchanges.ndjson': 192 * 1024 * 1024,
} as const;

export type BundleFile = keyof typeof bundleFiles;

/** The files that the manifest names, in its order. */
export const digestedFiles = [
  'exchanges.ndjson',
  'public-key.pem',
  'report.json',
  'run.json',
] as const satisfies readonly BundleFile[];

/** A bundle in memory. */
export type Bundle = ReadonlyMap<BundleFile, Uint8Array>;

/** A file of a bundle is invalid: one sentence that names the file and the place. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

export function isBundleFile(name: string): name is BundleFile {
  return Object.hasOwn(bundleFiles, name);
}
