import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createChanges } from '../../load/measure/changed-slices.ts';
import type { LoadsShown } from '../load/live-load-page.ts';
import type { Context } from '../shared/context.ts';
import { ownModule } from '../../core/own-module.ts';
import { UserError } from '../shared/user-error.ts';
import type { FromOtlp, OtlpCollector, ToOtlp } from './otlp-messages.ts';

/** A push each ten seconds, as the SDKs of OpenTelemetry do every minute; reports come once a second. */
const reportsPerPush = 10;

/** Pushes the time series of loads to a collector while `use` runs, and says at the end what the collector did not take. */
export async function withOtlpPush<Result>(
  url: string | undefined,
  context: Pick<Context, 'env' | 'err'>,
  use: (shown: LoadsShown | undefined) => Promise<Result>,
): Promise<Result> {
  if (url === undefined) return use(undefined);
  const pushes = startPushes({ url, headers: headersIn(context.env) });
  try {
    return await use(pushes.shown);
  } finally {
    const { sent, failed, reason } = await pushes.end();
    if (failed > 0) context.err.write(`! ${failed} of ${sent} pushes to the collector failed: ${reason}\n`);
  }
}

function startPushes(collector: OtlpCollector) {
  const worker = new Worker(fileURLToPath(ownModule('cli/otlp/otlp-thread')), { workerData: collector });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let changesOf = createChanges();
  let reports = 0;
  let sent = 0;
  let failed = 0;
  let reason: string | undefined;
  worker.once('exit', () => end());
  worker.on('error', (error) => (reason = error.message)); // the load does not depend on it
  worker.on('message', (message: FromOtlp) => {
    if (message.failed === undefined) return;
    failed += 1;
    reason = message.failed;
  });
  const post = (message: ToOtlp): void => {
    sent += 1;
    worker.postMessage(message);
  };
  const shown: LoadsShown = {
    isWatched: () => false, // a push is made of the slices and the slowest requests, which every record has
    progress(report) {
      reports += 1;
      const { elapsedMs: toMs } = report;
      if (reports % reportsPerPush === 0 && toMs > 0) post({ ...changesOf(report), toMs });
    },
    over(record) {
      changesOf = createChanges();
      reports = 0;
      post({ record, changed: record.slices.map((_, index) => index), toMs: Infinity });
    },
  };
  return {
    shown,
    async end() {
      worker.postMessage('end');
      await ended;
      return { sent, failed: reason === undefined ? 0 : Math.max(1, failed), reason };
    },
  };
}

/** The headers of OTEL_EXPORTER_OTLP_HEADERS, such as `api-key=…,x-tenant=a`, with percent-encoded values. */
function headersIn(env: Context['env']): OtlpCollector['headers'] {
  const text = env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '';
  return Object.fromEntries(
    text
      .split(',')
      .filter((part) => part.trim() !== '')
      .map((part) => {
        const [, name = '', value = ''] = /^\s*([\w-]+)\s*=(.*)$/.exec(part) ?? [];
        try {
          if (name !== '') return [name.toLowerCase(), decodeURIComponent(value.trim())];
        } catch {
          // below
        }
        throw new UserError('OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs with commas between them.');
      }),
  );
}
