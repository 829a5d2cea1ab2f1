import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { livePage } from '../../reports/page/live-page.ts';
import { type Contents, mainMarkup, partsOf } from '../../reports/page/parts.ts';
import { loadContents } from '../../reports/load/page/html.ts';
import { loadStyle } from '../../reports/load/page/load-style.ts';
import { style } from '../../reports/page/style.ts';
import { runContents } from '../../reports/run/page/html.ts';
import { script } from '../../reports/page/script.ts';
import { type LiveState, serveLive } from './live-server.ts';
import { createWholeRecord } from './whole-record.ts';
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

function createRenderer(): (snapshot: Snapshot) => Contents {
  const wholeOf = createWholeRecord();
  return (snapshot) =>
    snapshot.kind === 'run'
      ? runContents(snapshot.record, snapshot.live)
      : loadContents(wholeOf(snapshot), snapshot.live);
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
