import type { Context } from '../../shared/context.ts';
import { UserError } from '../../shared/user-error.ts';
import { prepareRun } from './prepare-run.ts';
import { printedRun } from './printed-run.ts';

export type KubernetesLoad = {
  readonly profile: string;
  readonly seed?: number | undefined;
  readonly image?: string | undefined;
  readonly shards: number;
  readonly namespace?: string | undefined;
  readonly context?: string | undefined;
  readonly print: boolean;
  readonly out?: string | undefined;
};

/** Prints the objects of a load in a cluster, and returns the exit code. */
export async function loadOnKubernetes(
  path: string | undefined,
  options: KubernetesLoad,
  { env, data }: Context,
): Promise<number> {
  if (path === undefined) throw new UserError('--kubernetes needs a target file: awc load TARGET --kubernetes …');
  const { image } = options;
  if (image === undefined) throw new UserError('--kubernetes needs --image, the image of awc that the nodes pull.');
  if (!options.print) throw new UserError('--kubernetes needs --print, and kubectl creates the printed objects.');
  const run = prepareRun(path, { ...options, image }, env);
  data.write(printedRun(run));
  return 0;
}
