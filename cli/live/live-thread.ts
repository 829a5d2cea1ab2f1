import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { livePage } from '../../reports/page/live-page.ts';
import { type Contents, mainMarkup, partsOf } from '../../reports/page/parts.ts';
import type { LoadSlice } from '../../reports/load/load-record.ts';
import { loadContents } from '../../reports/load/page/html.ts';
import { loadStyle } from '../../reports/load/page/load-style.ts';
import { style } from '../../reports/page/style.ts';
import { runContents } from '../../reports/run/page/html.ts';
import { script } from '../../reports/run/page/script.ts';
import { type LiveState, serveLive } from './live-server.ts';
import type { FromLivePage, Snapshot, ToLivePage } from './snapshot.ts';

/** Serves the page and renders it beside the thread that sends, so that neither delays a request. */
async function main(): Promise<void> {
  const { port } = z.object({ port: z.int() }).parse(workerData);
  const say = (words: FromLivePage) => parentPort?.postMessage(words);
  const onClients = (count: number) => say({ kind: 'clients', count });
  const onStop = () => say({ kind: 'stop' });
  const server = await serveLive({ port, page: livePage(style + loadStyle, script), onClients, onStop }).catch(
    (error: unknown) => say({ kind: 'refused', reason: error instanceof Error ? error.message : String(error) }),
  );
  if (server === undefined) return;
  const render = createRenderer();
  parentPort?.on('message', (message: ToLivePage) => {
    switch (message.kind) {
      case 'show':
        return server.show(stateOf(render(message.snapshot), message.snapshot, message.status));
      case 'end':
        return void server.close(message.status).then(() => parentPort?.close());
    }
  });
  say({ kind: 'listening', url: server.url });
}

/** Renders snapshots. Those of a load have only the slices that changed; one with another start is of another load. */
function createRenderer(): (snapshot: Snapshot) => Contents {
  let startedAt = '';
  let slices: LoadSlice[] = [];
  return (snapshot) => {
    if (snapshot.kind === 'run') return runContents(snapshot.record, snapshot.live);
    const { record, changed, live } = snapshot;
    if (record.startedAt !== startedAt) slices = [];
    ({ startedAt } = record);
    record.slices.forEach((slice, index) => (slices[changed[index] ?? index] = slice));
    return loadContents({ ...record, slices }, live);
  };
}

function stateOf(contents: Contents, { clock }: Snapshot, status: string): LiveState {
  return {
    clock,
    status,
    title: contents.title,
    main: mainMarkup(contents).text,
    parts: new Map(partsOf(contents).map(({ name, content }) => [name, content?.text ?? ''])),
  };
}

await main();
