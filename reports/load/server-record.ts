import { z } from 'zod';

/** The most series of a server, and the most samples of a run. */
export const mostSeries = 8;
export const mostSamples = 700;

/** The metrics of the server while a load ran. */
export const serverSchema = z
  .strictObject({
    samples: z
      .array(
        z.strictObject({
          atMs: z.number().meta({ description: 'Since the start of the measured part.' }),
          values: z.record(z.string(), z.number()),
        }),
      )
      .max(mostSamples),
    failures: z.int().min(0).meta({ description: 'How often the metrics could not be read.' }),
  })
  .meta({ id: 'Server' });

export type ServerRecord = z.infer<typeof serverSchema>;

/** One value of the server over time. */
export type ServerSeries = {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly { readonly atMs: number; readonly value: number }[];
};

/** The values as a chart shows them: the increase of a counter per second, and bytes as megabytes. */
export function serverSeries({ samples }: ServerRecord): readonly ServerSeries[] {
  const names = [...new Set(samples.flatMap(({ values }) => Object.keys(values)))].slice(0, mostSeries);
  return names.map((name) => {
    const known = samples.flatMap(({ atMs, values }) => {
      const value = values[name];
      return value === undefined ? [] : [{ atMs, value }];
    });
    if (!/_(total|count|sum)$/.test(name)) return { name, ...scaled(name, known) };
    const rates = known.flatMap(({ atMs, value }, index) => {
      const before = known[index - 1];
      const gain = before === undefined ? -1 : value - before.value;
      // A restarted server counts from 0 again.
      return before === undefined || gain < 0 || atMs <= before.atMs
        ? []
        : [{ atMs, value: (1000 * gain) / (atMs - before.atMs) }];
    });
    return { name, unit: name.endsWith('cpu_seconds_total') ? 'cores' : '/s', points: rates };
  });
}

function scaled(name: string, points: ServerSeries['points']): Pick<ServerSeries, 'unit' | 'points'> {
  if (!name.endsWith('_bytes')) return { unit: '', points };
  return { unit: 'MB', points: points.map(({ atMs, value }) => ({ atMs, value: value / 1024 / 1024 })) };
}

/** To three digits. */
export function serverFigure(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
