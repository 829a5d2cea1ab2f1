import { InvalidArgumentError } from '@commander-js/extra-typings';

/** The number of pods unless it is given. */
export const usualShards = 2;

/** The options of `awc load --kubernetes`, by the names that commander gives them. */
export const kubernetesOptions = ['kubernetes', 'image', 'shards', 'namespace', 'context', 'print'] as const;

/** A word that kubectl cannot take for an option. */
export function word(text: string): string {
  if (/^[^\s-]\S{0,499}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a word of up to 500 characters that does not begin with a dash.');
}
