import type { LoadRecord } from '../../reports/load/load-record.ts';
import { distributionOf } from '../measure/distribution.ts';
import { decodeHistogram, mergeHistograms, type TimeHistogram } from '../measure/histogram.ts';

type Generator = LoadRecord['generator'];

/** How late the requests of all parts left. */
export function mergeLags(generators: readonly Generator[]): TimeHistogram {
  return mergeHistograms(generators.flatMap(({ lag }) => (lag === undefined ? [] : [decodeHistogram(lag.hdr)])));
}

/** The generators of all parts as one, with what was judged of the whole. */
export function mergeGenerators(
  generators: readonly Generator[],
  lag: TimeHistogram,
  { verdict, reasons }: Pick<Generator, 'verdict'> & { readonly reasons: readonly string[] },
): Generator {
  const most = (read: (generator: Generator) => number) => Math.max(...generators.map(read));
  const sum = (read: (generator: Generator) => number) => generators.reduce((all, one) => all + read(one), 0);
  return {
    verdict,
    reasons: [...reasons],
    ...(lag.totalCount === 0 ? {} : { lag: distributionOf(lag) }),
    eventLoopUtilization: most((one) => one.eventLoopUtilization),
    eventLoopDelayP99Ms: most((one) => one.eventLoopDelayP99Ms),
    processCores: sum((one) => one.processCores),
    machineShare: most((one) => one.machineShare),
    memoryMb: most((one) => one.memoryMb),
    sockets: {
      cap: sum(({ sockets }) => sockets.cap),
      peak: sum(({ sockets }) => sockets.peak),
      waited: sum(({ sockets }) => sockets.waited),
    },
    closes: sum(({ closes }) => closes),
    latencyValid: generators.every(({ latencyValid }) => latencyValid),
    ...(generators.every((one) => one.throttledMs === undefined)
      ? {}
      : { throttledMs: sum((one) => one.throttledMs ?? 0) }),
    ...(generators.every((one) => one.stolenShare === undefined)
      ? {}
      : { stolenShare: most((one) => one.stolenShare ?? 0) }),
    environments: distinct(generators.flatMap(({ environments }) => environments)),
  };
}

/** Machines of one kind are named once. */
function distinct(environments: Generator['environments']): Generator['environments'] {
  return [...new Map(environments.map((one) => [JSON.stringify(one), one])).values()];
}
