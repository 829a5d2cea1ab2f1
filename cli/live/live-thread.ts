import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { livePage } from '../../reports/page/live-page.ts';
import { type Contents, mainMarkup, partsOf } from '../../reports/page/parts.ts';
import type { LoadSlice } from '../../reports/load/load-record.ts';
import { loadContents } from '../../reports/load/page/html.ts';
import { loadStyle } from '../../reports/load/page/load-style.ts';
import { style } from '../../reports/page/style.ts';
import { type LiveState, serveLive } from './live-server.ts';
import type { FromLivePage, LoadSnapshot, ToLivePage } from './snapshot.ts';

/** Serves the page and renders it beside the thread that sends, so that neither delays a request. */
async function main(): Promise<void> {
  const { port } = z.object({ port: z.int() }).parse(workerData);
  const say = (words: FromLivePage) => parentPort?.postMessage(words);
  const onClients = (count: number) => say({ kind: 'clients', count });
  const onStop = () => say({ kind: 'stop' });
  const server = await serveLive({ port, page: livePage(style + loadStyle), onClients, onStop }).catch((error: unknown) =>
    say({ kind: 'refused', reason: error instanceof Error ? error.message : String(error) }),
  );
  if (server === undefined) return;
  const render = createRenderer();
  parentPort?.on('message', (message: ToLivePage) => {
    switch (message.kind) {
      case 'show':
        return server.show({ ...render(message.snapshot), status: message.status });
      case 'end':
        return void server.close(message.status).then(() => parentPort?.close());
    }
  });
  say({ kind: 'listening', url: server.url });
}

/** Collects the slices of a run. A snapshot with another start is that of another run. */
function createRenderer(): (snapshot: LoadSnapshot) => Omit<LiveState, 'status'> {
  let startedAt = '';
  let slices: LoadSlice[] = [];
  return ({ record, changed, live, clock }) => {
    if (record.startedAt !== startedAt) slices = [];
    ({ startedAt } = record);
    record.slices.forEach((slice, index) => (slices[changed[index] ?? index] = slice));
    return stateOf(loadContents({ ...record, slices }, live), clock);
  };
}

function stateOf(contents: Contents, clock: string): Omit<LiveState, 'status'> {
  return {
    clock,
    title: contents.title,
    main: mainMarkup(contents).text,
    parts: new Map(partsOf(contents).map(({ name, content }) => [name, content?.text ?? ''])),
  };
}

await main();
