import { type Command, InvalidArgumentError, type OptionValues } from '@commander-js/extra-typings';
import { mostParts } from '../../../reports/load/load-record.ts';
import { wholeNumber } from '../../shared/option-values.ts';

/** The number of pods unless it is given. */
export const usualShards = 2;

/** The options of `awc load --kubernetes`, by the names that commander gives them. */
export const kubernetesOptions = ['kubernetes', 'image', 'shards', 'namespace', 'context', 'print'] as const;

export function addKubernetesOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('--kubernetes', 'run the load in pods of a Kubernetes cluster, with kubectl')
    .option(
      '--image <image>',
      'with --kubernetes: the image of awc, under a name that the nodes of the cluster can pull',
      word,
    )
    .option(
      '--shards <n>',
      `with --kubernetes: the number of pods that share the load (default: ${usualShards})`,
      wholeNumber(1, mostParts),
    )
    .option('--namespace <name>', 'with --kubernetes: the namespace (default: that of the context)', word)
    .option('--context <name>', 'with --kubernetes: the context of the kubeconfig (default: the current one)', word)
    .option('--print', 'with --kubernetes: print the objects instead, without values of the environment');
}

/** A word that kubectl cannot take for an option. */
function word(text: string): string {
  if (/^[^\s-]\S{0,499}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a word of up to 500 characters that does not begin with a dash.');
}
