import { once } from 'node:events';
import { createServer } from 'node:net';
import { serviceSchema } from './cluster-object.ts';
import type { Replacement } from './start-container.ts';
import { isLabelled, type Store } from './store.ts';

/** Gives each Service a free port of this machine, and says what stands for its address in the pods with some labels. */
export function createServicePorts(store: Store) {
  const ports = new Map<string, Promise<number>>();
  return async (labels: Readonly<Record<string, string>>): Promise<readonly Replacement[]> => {
    const found: Replacement[] = [];
    for (const service of store.list('services')) {
      const { spec } = serviceSchema.parse(service);
      const { name } = service.metadata;
      const reserved = ports.get(name) ?? freePort();
      ports.set(name, reserved);
      const port = await reserved;
      for (const { port: written } of spec.ports) {
        found.push([`http://${name}:${written}`, `http://127.0.0.1:${port}`]);
        if (isLabelled(labels, spec.selector)) found.push([`0.0.0.0:${written}`, `127.0.0.1:${port}`]);
      }
    }
    return found;
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
