import { type Deployment, TransportError } from '../../core/http.ts';
import { networkDeployment } from '../../core/network/network.ts';
import { mostSamples, mostSeries, type ServerRecord } from '../../reports/load/server-record.ts';

/** The address of the metrics of a server, and the series to keep. */
export type ServerMetrics = {
  /** OpenMetrics or the text format of Prometheus, over HTTP without a key. */
  readonly metrics: string;
  /** Names of series, beside the processor and the memory. */
  readonly series: readonly string[];
};

export type ServerWatch = { readonly soFar: () => ServerRecord; readonly end: () => void };

/** What the client libraries of Prometheus call the processor time and the memory of a process. */
const usualSeries = ['process_cpu_seconds_total', 'process_resident_memory_bytes'] as const;

const everyMs = 1000;
const timeoutMs = 2000;
const maxBytes = 4 * 1024 * 1024;
const maxLineLength = 10_000;

/** Reads the metrics of a server once a second, or less often in a long run, until the end. Never rejects. */
export function watchServer({ metrics, series }: ServerMetrics, startAt: number, plannedMs = 0): ServerWatch {
  const { origin, pathname, search } = new URL(metrics);
  const { deployment, close } = networkDeployment({ baseUrl: origin }, { maxBodyBytes: maxBytes });
  const names = [...new Set([...usualSeries, ...series])].slice(0, mostSeries);
  const samples: ServerRecord['samples'] = [];
  let failures = 0;
  let isReading = false;

  async function look(): Promise<void> {
    if (isReading || samples.length >= mostSamples) return;
    isReading = true;
    const atMs = performance.now() - startAt;
    const values = await read(deployment, `${pathname}${search}`, names);
    isReading = false;
    if (values === undefined) failures += 1;
    else samples.push({ atMs, values });
  }

  const timer = setInterval(() => void look(), Math.max(everyMs, plannedMs / (mostSamples / 2)));
  void look();
  return {
    soFar: () => ({ samples: [...samples], failures }),
    end() {
      clearInterval(timer);
      close();
    },
  };
}

async function read(
  deployment: Deployment,
  path: string,
  names: readonly string[],
): Promise<Readonly<Record<string, number>> | undefined> {
  const headers = { accept: 'application/openmetrics-text, text/plain; version=0.0.4' };
  try {
    const { status, body } = await deployment({ method: 'GET', path, headers, timeoutMs });
    return status === 200 ? valuesIn(Buffer.from(body).toString('utf8'), names) : undefined;
  } catch (error) {
    if (error instanceof TransportError) return undefined;
    throw error;
  }
}

/** A name, its labels, whose values may hold every character, and the value. An exemplar may follow. */
const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})?[ \t]+(\S+)/;

/** The sum of each series over all its labels. Names that are not there are left out. */
export function valuesIn(text: string, names: readonly string[]): Readonly<Record<string, number>> {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line.length > maxLineLength || !names.some((name) => line.startsWith(name))) continue;
    const [, name = '', written] = sample.exec(line) ?? [];
    const value = Number(written);
    if (names.includes(name) && Number.isFinite(value)) values.set(name, (values.get(name) ?? 0) + value);
  }
  return Object.fromEntries(values);
}
