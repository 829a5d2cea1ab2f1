import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { realClock } from '../../../core/clock.ts';
import { createRedactor } from '../../../core/redaction/redact.ts';
import { shown } from '../../../core/text.ts';
import type { Context } from '../../shared/context.ts';
import { onInterruption } from '../../shared/on-interruption.ts';
import { UserError } from '../../shared/user-error.ts';
import { makeFolder } from '../../shared/write-whole.ts';
import { announcement } from '../announce-load.ts';
import type { ClusterRun } from './cluster-run.ts';
import { createKubectl, isUnreachable, type Kubectl } from './kubectl.ts';
import {
  type ClusterObject,
  coordinatorJob,
  deletable,
  partsJob,
  secrets,
  selectorOf,
  settings,
  tokenVariable,
} from './objects.ts';
import { prepareRun } from './prepare-run.ts';
import { printedRun } from './printed-run.ts';
import { superviseRun } from './supervise-run.ts';
import type { LoadCommandOptions } from '../load-options.ts';

type KubernetesLoad = Pick<
  LoadCommandOptions,
  'profile' | 'seed' | 'out' | 'context' | 'image' | 'namespace' | 'print' | 'shards'
>;

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
  const letGo = onInterruption(() => interruption.abort());
  err.write(`${announcement(profile, target, { index: 1, of: 1 })}\n`);
  let mayExist = true;
  try {
    const created = await createRun(run, token, kubectl);
    if ('unreachable' in created) {
      mayExist = false;
      throw new UserError(
        `the cluster does not answer: ${created.unreachable}. Check KUBECONFIG and --context: kubectl cluster-info.`,
        3,
      );
    }
    const { namespace } = created;
    err.write(`${run.name} in the namespace ${namespace}: a coordinator and ${run.shards} parts.\n`);
    return await superviseRun(run, { kubectl, redactor, out, clock: realClock, signal: interruption.signal }, context);
  } finally {
    interruption.abort(); // a log may still be followed
    const whole = createKubectl({ ...place, signal: new AbortController().signal });
    const problem = mayExist ? await deleteRun(run, whole) : undefined;
    if (problem !== undefined) err.write(`! ${problem}\n`);
    letGo();
  }
}

const createdSchema = z.object({ metadata: z.object({ name: z.string(), uid: z.string(), namespace: z.string() }) });

/** The server validates what it gets. kubectl would first fetch megabytes of schemas. */
const create = ['create', '--validate=false', '-f', '-'];

type Created = { readonly namespace: string } | { readonly unreachable: string };

/**
 * Creates the objects of a run, and returns their namespace, or why no cluster answers. The Job of the coordinator owns the
 * rest, so that the cluster deletes everything some time after the end, even if this process is gone. Rejects with UserError if the cluster refuses.
 */
async function createRun(run: ClusterRun, token: string, kubectl: Kubectl): Promise<Created> {
  const created = await kubectl([...create, '-o', 'json'], { input: JSON.stringify(coordinatorJob(run)) });
  if (!created.ok && isUnreachable(created.problem)) return { unreachable: created.problem };
  if (!created.ok) throw refused(created.problem);
  const { metadata } = createdSchema.parse(JSON.parse(created.out));
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: metadata.name, uid: metadata.uid };
  const owned = ({ metadata: own, ...object }: ClusterObject) => ({
    ...object,
    metadata: { ...own, ownerReferences: [owner] },
  });
  const items = [...secrets(run, token), ...settings(run), partsJob(run)].map(owned);
  const rest = await kubectl(create, { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  if (!rest.ok) throw refused(rest.problem);
  return { namespace: shown(metadata.namespace) };
}

function refused(problem: string): UserError {
  return new UserError(
    `the cluster did not create the run: ${problem}. Check the context, the namespace and your rights: kubectl auth can-i create jobs.`,
  );
}

/** Deletes the objects of a run. Returns what to do if that fails; undefined if it does not. */
async function deleteRun(run: ClusterRun, kubectl: Kubectl): Promise<string | undefined> {
  const args = ['delete', deletable, '-l', selectorOf(run), '--ignore-not-found', '--wait=false'];
  const { ok, problem } = await kubectl(args).catch((error: unknown) => ({ ok: false, problem: String(error) }));
  return ok ? undefined : `${problem}. Delete the run yourself: kubectl ${args.join(' ')}`;
}
