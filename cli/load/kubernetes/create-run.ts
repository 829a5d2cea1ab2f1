import { z } from 'zod';
import { shown } from '../../../core/text.ts';
import { UserError } from '../../shared/user-error.ts';
import type { ClusterRun } from './cluster-run.ts';
import type { Kubectl } from './kubectl.ts';
import { type ClusterObject, coordinatorJob, deletable, partsJob, secrets, selectorOf, settings } from './objects.ts';

const createdSchema = z.object({ metadata: z.object({ name: z.string(), uid: z.string(), namespace: z.string() }) });

/** The server validates what it gets. kubectl would first fetch megabytes of schemas. */
const create = ['create', '--validate=false', '-f', '-'];

/**
 * Creates the objects of a run, and returns their namespace. The Job of the coordinator owns the rest, so that the cluster
 * deletes everything some time after the end, even if this process is gone. Rejects with UserError if the cluster refuses.
 */
export async function createRun(run: ClusterRun, token: string, kubectl: Kubectl): Promise<string> {
  const created = await kubectl([...create, '-o', 'json'], { input: JSON.stringify(coordinatorJob(run)) });
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
  return shown(metadata.namespace);
}

function refused(problem: string): UserError {
  return new UserError(
    `the cluster did not create the run: ${problem}. Check the context, the namespace and your rights: kubectl auth can-i create jobs.`,
  );
}

/** Deletes the objects of a run. Returns what to do if that fails; undefined if it does not. */
export async function deleteRun(run: ClusterRun, kubectl: Kubectl): Promise<string | undefined> {
  const args = ['delete', deletable, '-l', selectorOf(run), '--ignore-not-found', '--wait=false'];
  const { ok, problem } = await kubectl(args).catch((error: unknown) => ({ ok: false, problem: String(error) }));
  return ok ? undefined : `${problem}. Delete the run yourself: kubectl ${args.join(' ')}`;
}
