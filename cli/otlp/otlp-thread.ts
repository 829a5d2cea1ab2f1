import { parentPort, workerData } from 'node:worker_threads';
import { request } from 'undici';
import { z } from 'zod';
import { errorCode } from '../../core/error-code.ts';
import { renderOtlp } from '../../reports/load/otlp.ts';
import { createWholeRecord } from '../live/whole-record.ts';
import type { FromOtlp, OtlpCollector, ToOtlp } from './otlp-messages.ts';

/** How long a push may take, in milliseconds. */
const pushTimeoutMs = 5000;

/** Renders and pushes beside the thread that sends the load, one message after the other. Ends when the port is closed. */
function main(): void {
  const collector = z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }).parse(workerData);
  const wholeOf = createWholeRecord();
  let startedAt = '';
  let pushedMs = 0;
  let last = Promise.resolve();
  const next = async ({ toMs, ...snapshot }: ToOtlp): Promise<void> => {
    const record = wholeOf(snapshot);
    if (record.startedAt !== startedAt) pushedMs = 0;
    ({ startedAt } = record);
    const failed = await push(collector, renderOtlp(record, { afterMs: pushedMs, toMs }));
    // What did not arrive is part of the next push.
    if (failed === undefined) pushedMs = toMs;
    parentPort?.postMessage({ failed } satisfies FromOtlp);
  };
  parentPort?.on('message', (message: ToOtlp | 'end') => {
    last = last.then(() => (message === 'end' ? parentPort?.close() : next(message)));
  });
}

/** Undefined if the collector took it. Its answer is not read, and nothing of the address is repeated, which may hold a secret. */
async function push({ url, headers }: OtlpCollector, body: string): Promise<string | undefined> {
  try {
    const { statusCode, body: answer } = await request(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(pushTimeoutMs),
    });
    answer.on('error', () => {}).destroy();
    return statusCode < 300 ? undefined : `it answered ${statusCode}`;
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time';
    return errorCode(error) ?? 'the connection failed';
  }
}

main();
