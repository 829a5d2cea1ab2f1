import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { portOf } from '../network/port-of.ts';
import { type ClusterObject, clusterObjectSchema, jobSchema } from './cluster-object.ts';
import type { PodLog } from './pod-log.ts';
import { createPods, type Pods } from './run-pods.ts';
import { createStore, namespace, type Store } from './store.ts';

/** A stand-in for a Kubernetes cluster: as much of its API as kubectl needs for the Jobs of a load. */
export type Cluster = {
  /** The text of a kubeconfig. */
  readonly kubeconfig: string;
  readonly store: Pick<Store, 'names' | 'list'>;
  readonly kill: Pods['kill'];
  readonly close: () => Promise<void>;
};

type Options = {
  /** The images that can be pulled. */
  readonly images: readonly string[];
  /** Resources that the user has no right to create. */
  readonly forbidden?: readonly string[];
};

const resources = {
  v1: { pods: 'Pod', services: 'Service', configmaps: 'ConfigMap', secrets: 'Secret', events: 'Event' },
  'batch/v1': { jobs: 'Job' },
  'networking.k8s.io/v1': { networkpolicies: 'NetworkPolicy' },
} as const;

/** What lists call themselves, by resource. */
const listKinds = new Map(
  Object.entries(resources).flatMap(([apiVersion, kinds]) =>
    Object.entries(kinds).map(([resource, kind]) => [resource, { apiVersion, kind: `${kind}List` }] as const),
  ),
);

const groups = ['batch', 'networking.k8s.io'].map((name) => {
  const version = { groupVersion: `${name}/v1`, version: 'v1' };
  return { name, versions: [version], preferredVersion: version };
});

function resourceList(groupVersion: keyof typeof resources): object {
  const verbs = ['create', 'get', 'list', 'delete'];
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion,
    resources: Object.entries(resources[groupVersion]).map(([name, kind]) => ({
      name,
      kind,
      singularName: '',
      namespaced: true,
      verbs,
    })),
  };
}

const documents: Readonly<Record<string, object>> = {
  '/version': { major: '1', minor: '32', gitVersion: 'v1.32.0' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups },
  '/api/v1': resourceList('v1'),
  '/apis/batch/v1': resourceList('batch/v1'),
  '/apis/networking.k8s.io/v1': resourceList('networking.k8s.io/v1'),
};

/** Serves a cluster on loopback until it is closed. */
export async function serveCluster({ images, forbidden = [] }: Options): Promise<Cluster> {
  const store = createStore((resource, name) => resource === 'pods' && pods.kill(name, 'SIGTERM'));
  const pods = createPods(store, images);
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => fail(response, 500, String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://cluster');
    const document = documents[pathname];
    if (document !== undefined) return send(response, 200, document);
    const [, resource = '', name, part] =
      /^\/apis?\/(?:[a-z0-9.]+\/)?v1\/namespaces\/[a-z]+\/([a-z]+)(?:\/([^/]+))?(?:\/(log))?$/.exec(pathname) ?? [];
    if (resource === '') return fail(response, 404, pathname);
    if (request.method === 'POST') return create(resource, await text(request), response);
    if (name === undefined) {
      const labels = labelsIn(searchParams.get('labelSelector') ?? '');
      return send(response, 200, { ...listKinds.get(resource), metadata: {}, items: store.list(resource, labels) });
    }
    const object = store.get(resource, name);
    if (object === undefined) return fail(response, 404, `${resource} "${name}" not found`, 'NotFound');
    if (part === 'log') return sendLog(pods.log(name), searchParams, response);
    if (request.method === 'DELETE') store.remove(resource, name);
    send(response, 200, object);
  }

  function create(resource: string, body: string, response: ServerResponse): void {
    if (forbidden.includes(resource))
      return fail(response, 403, `${resource} is forbidden: User "someone" cannot create it`, 'Forbidden');
    const object = store.put(resource, completed(clusterObjectSchema.parse(JSON.parse(body))));
    if (resource === 'jobs') pods.start(jobSchema.parse(object));
    send(response, 201, object);
  }

  return {
    kubeconfig: kubeconfigFor(`http://127.0.0.1:${port}`),
    store,
    kill: (pod, signal) => pods.kill(pod, signal),
    async close() {
      await pods.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A Job selects its pods by its name. */
function completed(object: ClusterObject): ClusterObject {
  if (object.kind !== 'Job') return object;
  const { spec } = jobSchema.parse(object);
  return { ...object, spec: { ...spec, selector: { matchLabels: { 'job-name': object.metadata.name } } } };
}

function sendLog(log: PodLog | undefined, query: URLSearchParams, response: ServerResponse): void {
  if (log === undefined) return fail(response, 400, 'the container has not started', 'BadRequest');
  const tail = Number(query.get('tailLines') ?? Infinity);
  const pieces = log.text().match(/[^\n]{0,4095}\n|[^\n]{1,4096}/g) ?? []; // a long line is kept in pieces, and each counts
  response.write(pieces.slice(-tail).join(''));
  if (query.get('follow') !== 'true') return void response.end();
  log.follow(
    (more) => response.write(more),
    () => response.end(),
  );
}

function kubeconfigFor(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'other',
    clusters: [{ name: 'stand-in', cluster: { server } }],
    users: [{ name: 'someone', user: {} }],
    contexts: [{ name: 'stand-in', context: { cluster: 'stand-in', user: 'someone', namespace } }],
  });
}

function labelsIn(selector: string): Readonly<Record<string, string>> {
  const pairs = selector.split(',').filter((each) => each !== '');
  return Object.fromEntries(pairs.map((each) => each.split(/==?/)));
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function fail(response: ServerResponse, code: number, message: string, reason = 'Failure'): void {
  send(response, code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code });
}
