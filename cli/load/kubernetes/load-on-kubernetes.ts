import { randomBytes } from 'node:crypto';
import { realClock } from '../../../core/clock.ts';
import { createRedactor } from '../../../core/redaction/redact.ts';
import type { Context } from '../../shared/context.ts';
import { endAtOnce, onInterruption } from '../../shared/on-interruption.ts';
import { UserError } from '../../shared/user-error.ts';
import { makeFolder } from '../../shared/write-whole.ts';
import { announcement } from '../announce-load.ts';
import { createRun, deleteRun } from './create-run.ts';
import { createKubectl } from './kubectl.ts';
import { tokenVariable } from './objects.ts';
import { prepareRun } from './prepare-run.ts';
import { printedRun } from './printed-run.ts';
import { superviseRun } from './supervise-run.ts';

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

/**
 * Runs a load in a cluster, deletes everything that it created there, and returns the exit code of the verdict; or prints the
 * objects. Rejects with UserError if the run cannot be created or is interrupted.
 */
export async function loadOnKubernetes(
  path: string | undefined,
  options: KubernetesLoad,
  context: Context,
): Promise<number> {
  if (path === undefined) throw new UserError('--kubernetes needs a target file: awc load TARGET --kubernetes …');
  const { image, out } = options;
  if (image === undefined) throw new UserError('--kubernetes needs --image, the image of awc that the nodes pull.');
  const { env, data, err } = context;
  const { target, profile, ...run } = prepareRun(path, { ...options, image }, env);
  if (options.print) {
    data.write(printedRun(run));
    return 0;
  }
  if (out !== undefined) await makeFolder(out);
  const token = randomBytes(32).toString('hex');
  const redactor = createRedactor([...run.secrets, { key: token, variable: `$${tokenVariable}` }]);
  const interruption = new AbortController();
  const place = { env, context: options.context, namespace: options.namespace, redactor };
  const kubectl = createKubectl({ ...place, signal: interruption.signal });
  const letGo = onInterruption(() => interruption.abort(), endAtOnce);
  err.write(`${announcement(profile, target, { index: 1, of: 1 })}\n`);
  try {
    const namespace = await createRun(run, token, kubectl);
    err.write(`${run.name} in the namespace ${namespace}: a coordinator and ${run.shards} parts.\n`);
    return await superviseRun(run, { kubectl, redactor, out, clock: realClock, signal: interruption.signal }, context);
  } finally {
    interruption.abort(); // a log may still be followed
    const problem = await deleteRun(run, createKubectl({ ...place, signal: new AbortController().signal }));
    if (problem !== undefined) err.write(`! ${problem}\n`);
    letGo();
  }
}
