import type { Fact } from '../../reports/load/load-record.ts';
import { serverFigure, type ServerRecord, type ServerSeries, serverSeries } from '../../reports/load/server-record.ts';

/** The mean and the largest value of each series, and which of those that the profile names were never there. */
export function serverFacts(server: ServerRecord, asked: readonly string[] = []): readonly Fact[] {
  const { samples, failures } = server;
  const attempts = samples.length === 0 ? failures : `${failures} of ${failures + samples.length}`;
  const unread: Fact = {
    name: 'server',
    value: `its metrics could not be read in ${attempts} attempts`,
    verdict: 'unclear',
  };
  if (samples.length === 0) return [unread];
  const absent = asked.filter((name) => !samples.some(({ values }) => Object.hasOwn(values, name)));
  return [
    ...serverSeries(server)
      .filter(({ points }) => points.length > 0)
      .map(seriesFact),
    ...absent.map((name): Fact => ({ name, value: 'not among the metrics of the server', verdict: 'unclear' })),
    ...(failures > 0 ? [unread] : []),
  ];
}

function seriesFact({ name, unit, points }: ServerSeries): Fact {
  const values = points.map(({ value }) => value);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const figure = (value: number) => [serverFigure(value), unit].join(' ').trim();
  return { name, value: `${figure(mean)} on average, ${figure(Math.max(...values))} at most` };
}
