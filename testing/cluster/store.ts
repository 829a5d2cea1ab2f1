import { randomUUID } from 'node:crypto';
import type { ClusterObject } from './cluster-object.ts';

/** The objects of a cluster with one namespace, by `resource/name`. */
export type Store = {
  readonly get: (resource: string, name: string) => ClusterObject | undefined;
  readonly list: (resource: string, labels?: Readonly<Record<string, string>>) => readonly ClusterObject[];
  /** Adds an object, or replaces it, and returns it as the server keeps it. */
  readonly put: (resource: string, object: ClusterObject) => ClusterObject;
  /** Deletes an object and all that it owns. */
  readonly remove: (resource: string, name: string) => void;
  /** `resource/name` of everything. */
  readonly names: () => readonly string[];
};

export const namespace = 'loads';

/** `onRemove` is called for each deleted object. */
export function createStore(onRemove: (resource: string, name: string) => void): Store {
  const objects = new Map<string, ClusterObject>();

  function remove(resource: string, name: string): void {
    const object = objects.get(`${resource}/${name}`);
    if (object === undefined) return;
    objects.delete(`${resource}/${name}`);
    onRemove(resource, name);
    const { uid } = object.metadata;
    for (const [place, { metadata }] of objects) {
      const [owned = '', ownedName = ''] = place.split('/');
      if (metadata.ownerReferences.some((owner) => owner.uid === uid)) remove(owned, ownedName);
    }
  }

  return {
    get: (resource, name) => objects.get(`${resource}/${name}`),
    list: (resource, labels = {}) =>
      [...objects].flatMap(([place, object]) =>
        place.startsWith(`${resource}/`) && isLabelled(object.metadata.labels, labels) ? [object] : [],
      ),
    put(resource, object) {
      const metadata = {
        uid: randomUUID(),
        namespace,
        creationTimestamp: new Date().toISOString(),
        ...object.metadata,
      };
      const kept = { ...object, metadata };
      objects.set(`${resource}/${metadata.name}`, kept);
      return kept;
    },
    remove,
    names: () => [...objects.keys()],
  };
}

export function isLabelled(
  labels: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}
