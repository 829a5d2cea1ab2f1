import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export type ForkedServer<Note> = {
  readonly url: string;
  /** What it noted since the last call. */
  readonly noted: () => Promise<readonly Note[]>;
  readonly close: () => Promise<void>;
};

/** Starts a server in a process of its own, on loopback: it sends its port, and what it noted whenever it is asked. */
export async function forkServer<Note>(
  module: URL,
  argument: string,
  note: z.ZodType<Note>,
): Promise<ForkedServer<Note>> {
  const child = fork(fileURLToPath(module), [argument], { detached: true });
  const [address] = await once(child, 'message');
  const { port } = z.object({ port: z.int() }).parse(address);
  return {
    url: `http://127.0.0.1:${port}`,
    async noted() {
      child.send('noted');
      const [notes] = await once(child, 'message');
      return z.array(note).parse(notes);
    },
    async close() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
