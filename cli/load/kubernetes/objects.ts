import { posix } from 'node:path';
import { type ClusterRun, type PodFile, targetPath } from './cluster-run.ts';

/** An object of the Kubernetes API. */
export type ClusterObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
} & Readonly<Record<string, unknown>>;

const launcher = ['node', '/opt/awc/cli/awc.mjs'] as const;
const filesFolder = '/etc/awc';
const gatherPort = 8080;

/** The name of the variable that coordinator and parts recognize each other by. */
export const tokenVariable = 'AWC_GATHER_TOKEN';

type Role = 'gather' | 'part';

export const roleLabel = 'app.kubernetes.io/component';
const runLabel = 'app.kubernetes.io/instance';

/** How long the parts may take to meet, in minutes. Images take time, and so do new nodes. */
const meetMinutes = 10;
/** How long records may take to be handed over and merged, in minutes. */
const gatherMinutes = 5;
/** How long finished Jobs, and what belongs to them, stay if nothing deletes them, in seconds. */
const keepSeconds = 3600;

/** The kinds of the objects of a run. */
export const deletable = 'jobs,services,configmaps,secrets,networkpolicies';

/** Selects all objects of a run. */
export function selectorOf({ name }: Pick<ClusterRun, 'name'>): string {
  return `${runLabel}=${name}`;
}

export function coordinatorOf({ name }: Pick<ClusterRun, 'name'>): string {
  return `${name}-gather`;
}

/** The longest that a run may take, in seconds: its coordinator may start as late as the parts. */
export function deadlineSeconds({ loadMs }: Pick<ClusterRun, 'loadMs'>): number {
  return Math.ceil(loadMs / 1000) + (2 * meetMinutes + gatherMinutes) * 60;
}

/** The Job of the coordinator. Its log is the report, and the last line of the log is the record. */
export function coordinatorJob(run: ClusterRun): ClusterObject {
  const load = [
    ['load', 'gather', '--shards', String(run.shards), '--listen', `0.0.0.0:${gatherPort}`],
    ['--within', `${meetMinutes}m`, '--json'],
  ].flat();
  return job(run, 'gather', {
    spec: { backoffLimit: 0 },
    container: {
      command: [...launcher, ...load],
      ports: [{ containerPort: gatherPort }],
      env: [fromSecret(run, tokenVariable)],
      resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '1Gi' } },
      volumeMounts: [],
    },
    volumes: [],
  });
}

/** The Indexed Job of the parts. A failed part is not retried, and ends the others: their load would not be the whole one. */
export function partsJob(run: ClusterRun): ClusterObject {
  const { shards, seed, variables } = run;
  const load = [
    ['load', `${filesFolder}/${targetPath}`, '--profile', `${filesFolder}/${run.profilePath}`],
    ['--seed', String(seed), '--gather', `http://${run.name}:${gatherPort}`],
  ].flat();
  const script = `exec "$@" --shard "$((JOB_COMPLETION_INDEX + 1))/${shards}"`;
  return job(run, 'part', {
    spec: { completionMode: 'Indexed', completions: shards, parallelism: shards, backoffLimitPerIndex: 0 },
    container: {
      command: ['sh', '-c', script, 'part', ...launcher, ...load],
      env: [tokenVariable, ...Object.keys(variables)].map((name) => fromSecret(run, name)),
      resources: { requests: { cpu: '1', memory: '512Mi' }, limits: { memory: '1Gi' } },
      volumeMounts: [{ name: 'files', mountPath: filesFolder, readOnly: true }],
    },
    volumes: [{ name: 'files', projected: { sources: filesOf(run) } }],
  });
}

/** The name of the Secret that holds files. */
export function secretFilesOf({ name }: Pick<ClusterRun, 'name'>): string {
  return `${name}-files`;
}

/** The key of a file in the ConfigMap or the Secret, where names have no slashes. */
export function keyOf({ path }: PodFile, index: number): string {
  return `${index}-${posix
    .basename(path)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 100)}`;
}

function filesOf({ name, files, secretFiles }: ClusterRun): readonly object[] {
  const items = (of: readonly PodFile[]) => of.map((file, index) => ({ key: keyOf(file, index), path: file.path }));
  return [
    { configMap: { name, items: items(files) } },
    ...(secretFiles.length === 0 ? [] : [{ secret: { name: secretFilesOf({ name }), items: items(secretFiles) } }]),
  ];
}

function fromSecret({ name }: ClusterRun, key: string): object {
  return { name: key, valueFrom: { secretKeyRef: { name, key } } };
}

type JobParts = { readonly spec: object; readonly container: object; readonly volumes: readonly object[] };

/** A Job whose pods Pod Security "restricted" admits. */
function job(run: ClusterRun, role: Role, parts: JobParts): ClusterObject {
  const labels = labelsOf(run, role);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${run.name}-${role}`, labels },
    spec: {
      ...parts.spec,
      activeDeadlineSeconds: deadlineSeconds(run),
      ttlSecondsAfterFinished: keepSeconds,
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: 60,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 1000,
            runAsGroup: 1000,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          // Two parts on one machine would compete for its cores.
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: labels },
            },
          ],
          containers: [
            {
              name: role,
              image: run.image,
              ...parts.container,
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
          volumes: parts.volumes,
        },
      },
    },
  };
}

function labelsOf({ name }: ClusterRun, role?: Role): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': 'awc',
    [runLabel]: name,
    ...(role === undefined ? {} : { [roleLabel]: role }),
  };
}

function textsOf(files: readonly PodFile[]): Readonly<Record<string, string>> {
  return Object.fromEntries(files.map((file, index) => [keyOf(file, index), file.text]));
}

/** The variables of the pods, and the files of the TLS settings. */
export function secrets(run: ClusterRun, token: string): readonly ClusterObject[] {
  const labels = labelsOf(run);
  const secret = (name: string, stringData: Readonly<Record<string, string>>): ClusterObject => {
    return { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels }, type: 'Opaque', stringData };
  };
  const files = run.secretFiles.length === 0 ? [] : [secret(secretFilesOf(run), textsOf(run.secretFiles))];
  return [secret(run.name, { ...run.variables, [tokenVariable]: token }), ...files];
}

/** What has no values from the environment and runs nothing: the files, the address of the coordinator, and who may call whom. */
export function settings(run: ClusterRun): readonly ClusterObject[] {
  const { name } = run;
  const metadata = { name, labels: labelsOf(run) };
  const ports = [{ protocol: 'TCP', port: gatherPort }];
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: textsOf(run.files) },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labelsOf(run, 'gather'), ports } },
    policy(run, 'gather', { ingress: [{ from: [podsOf(run, 'part')], ports }], egress: [] }),
    policy(run, 'part', { ingress: [], egress: [dns, anywhere, { to: [podsOf(run, 'gather')], ports }] }),
  ];
}

const dns = {
  ports: [
    { protocol: 'UDP', port: 53 },
    { protocol: 'TCP', port: 53 },
  ],
};

/** The target may be anywhere: a policy knows no host names. The link-local addresses have the credentials of the machine. */
const anywhere = {
  to: [
    { namespaceSelector: {} },
    { ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] } },
    { ipBlock: { cidr: '::/0', except: ['fe80::/10', 'fd00:ec2::254/128'] } },
  ],
};

function podsOf(run: ClusterRun, role: Role): object {
  return { podSelector: { matchLabels: labelsOf(run, role) } };
}

/** Which connections pods may accept (`ingress`) and open (`egress`). */
function policy(run: ClusterRun, role: Role, rules: { readonly ingress: object[]; readonly egress: object[] }) {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `${run.name}-${role}`, labels: labelsOf(run, role) },
    spec: { ...podsOf(run, role), policyTypes: ['Ingress', 'Egress'], ...rules },
  };
}
