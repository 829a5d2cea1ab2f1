import type { Secret } from '../../../core/target.ts';

/** A file for the pods. */
export type PodFile = {
  /** Below the folder of the files. */
  readonly path: string;
  readonly text: string;
};

/** All that the objects of one run are made from. */
export type ClusterRun = {
  /** Unique: every object of the run begins with it. */
  readonly name: string;
  readonly image: string;
  readonly shards: number;
  readonly seed: number;
  /** The target file and the profile. */
  readonly files: readonly PodFile[];
  /** The certificates and keys of the target file's TLS settings. */
  readonly secretFiles: readonly PodFile[];
  /** The variables that target file and profile read. */
  readonly variables: Readonly<Record<string, string>>;
  /** Those of the variables that are not set. They get a made-up value, which is enough for `--print`. */
  readonly unset: readonly string[];
  /** The profile's path in the folder of the files. */
  readonly profilePath: string;
  /** How long the load takes from the start of its warm-up to the last answer, in milliseconds. */
  readonly loadMs: number;
  /** What no output may show. */
  readonly secrets: readonly Secret[];
};

export const targetFolder = 'target';
export const targetPath = `${targetFolder}/target.yaml`;
