import { type Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { mostParts } from '../../../reports/load/load-record.ts';
import { wholeNumber } from '../../shared/option-values.ts';

const usualShards = 2;

export const kubernetesOptionsSchema = z.object({
  kubernetes: z.boolean().default(false),
  image: z.string().optional(),
  shards: z.int().default(usualShards),
  namespace: z.string().optional(),
  context: z.string().optional(),
  print: z.boolean().default(false),
});

/** The options of `awc load --kubernetes`, by the names that commander gives them. */
export const kubernetesOptions = ['kubernetes', 'image', 'shards', 'namespace', 'context', 'print'] as const;

export function addKubernetesOptions(command: Command): Command {
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
