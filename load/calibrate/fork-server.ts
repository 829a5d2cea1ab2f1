import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export type ForkedServer = {
  readonly url: string;
  /** What it noted since the last call. */
  readonly noted: () => Promise<readonly number[]>;
  readonly close: () => Promise<void>;
};

/** Starts a server in a process of its own, on loopback: it sends its port, and what it noted whenever it is asked. */
export async function forkServer(module: URL, argument: string): Promise<ForkedServer> {
  const child = fork(fileURLToPath(module), [argument], { detached: true });
  const [address] = await once(child, 'message');
  const { port } = z.object({ port: z.int() }).parse(address);
  return {
    url: `http://127.0.0.1:${port}`,
    async noted() {
      child.send('noted');
      const [numbers] = await once(child, 'message');
      return z.array(z.number()).parse(numbers);
    },
    async close() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
