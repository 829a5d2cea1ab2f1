import type { Load, MixEntry, OpenLoad, Profile } from './profile.ts';
import type { ProfileFile } from './profile-schema.ts';
import { parseDurationMs, parseShare } from './quantity.ts';
import { parseThreshold, type Threshold } from './threshold.ts';

const defaultSockets = 512;
const defaultTimeout = '10s';

/** Fills in every default of a profile that the schema and the sense checks have let through. */
export function resolveProfile(name: string, file: ProfileFile): Profile {
  const load = resolveLoad(file);
  const abort = thresholdsOf(file.abort);
  return {
    name,
    question: file.question,
    load,
    warmUpMs: ms(file.warmUp ?? '0s'),
    timeoutMs: ms(file.timeout ?? defaultTimeout),
    mix: resolveMix(file.operations ?? {}),
    thresholds: thresholdsOf(file.thresholds),
    abort,
    validate: share(file.validate ?? '100%'),
    rateLimitedIsError: file.rateLimitedIsError ?? false,
  };
}

function resolveLoad({ load, duration = '0s' }: ProfileFile): Load {
  const durationMs = ms(duration);
  const { closed, open, capacity, rateLimit, contention, longPoll } = load;
  if (closed !== undefined) return { kind: 'closed', connections: closed.connections, durationMs };
  if (open !== undefined) return resolveOpen(open, durationMs);
  if (capacity !== undefined) {
    return {
      kind: 'capacity',
      fromPerSecond: capacity.from,
      toPerSecond: capacity.to,
      trialMs: ms(capacity.trial),
      repeats: capacity.repeats,
      precision: share(capacity.precision),
      sockets: capacity.sockets ?? defaultSockets,
    };
  }
  if (rateLimit !== undefined) {
    const { connections, windows, longestWindow } = rateLimit;
    return { kind: 'rateLimit', connections, windows, longestWindowMs: ms(longestWindow) };
  }
  if (contention !== undefined) return { kind: 'contention', ...contention, durationMs };
  if (longPoll !== undefined) {
    const { held, wait, rate } = longPoll;
    return { kind: 'longPoll', held, waitSeconds: wait, ratePerSecond: rate, durationMs };
  }
  throw new Error('a profile without a load');
}

function resolveOpen(open: NonNullable<ProfileFile['load']['open']>, durationMs: number): OpenLoad {
  const { rate, arrivals = 'poisson', pacing = 'timer', sockets = defaultSockets, stages } = open;
  return {
    kind: 'open',
    arrivals,
    pacing,
    sockets,
    ratePerSecond: rate,
    stages: stages?.map((stage) => ({ ratePerSecond: stage.rate, overMs: ms(stage.over) })) ?? [
      { ratePerSecond: rate, overMs: durationMs },
    ],
  };
}

/** In the order of the operations here, so that the order in a file changes nothing that is drawn. */
function resolveMix(mix: NonNullable<ProfileFile['operations']>): readonly MixEntry[] {
  const { listModels, listDataSources, getBillingAccount, sendMessage } = mix;
  const entries: readonly (MixEntry | undefined)[] = [
    listModels && { operation: 'listModels', weight: listModels.weight, limits: listModels.limits ?? [] },
    listDataSources && {
      operation: 'listDataSources',
      weight: listDataSources.weight,
      limits: listDataSources.limits ?? [],
    },
    getBillingAccount && { operation: 'getBillingAccount', weight: getBillingAccount.weight },
    sendMessage && {
      operation: 'sendMessage',
      weight: sendMessage.weight,
      waitSeconds: sendMessage.wait,
      prompt: sendMessage.prompt ?? 'quick',
    },
  ];
  return entries.filter((entry) => entry !== undefined).filter(({ weight }) => weight > 0);
}

function thresholdsOf(texts: readonly string[] = []): readonly Threshold[] {
  return texts.map((text) => {
    const parsed = parseThreshold(text);
    if ('problem' in parsed) throw new Error(`a threshold that was not checked: ${text}`);
    return parsed;
  });
}

function ms(text: string): number {
  const value = parseDurationMs(text);
  if (value === undefined) throw new Error(`a duration that was not checked: ${text}`);
  return value;
}

function share(text: string): number {
  const value = parseShare(text);
  if (value === undefined) throw new Error(`a share that was not checked: ${text}`);
  return value;
}

/** How many requests a second a profile sends at most; undefined where the answers set the pace. */
export function peakRate({ load }: Profile): number | undefined {
  switch (load.kind) {
    case 'open':
      return Math.max(load.ratePerSecond, ...load.stages.map(({ ratePerSecond }) => ratePerSecond));
    case 'capacity':
      return load.toPerSecond;
    case 'longPoll':
      return load.ratePerSecond + load.held / Math.max(1, load.waitSeconds);
    case 'closed':
    case 'rateLimit':
    case 'contention':
      return undefined;
  }
}

/** The planned number of arrivals of an open load: the area under its rate. */
export function plannedArrivals(load: OpenLoad): number {
  let before = load.ratePerSecond;
  let sum = 0;
  for (const { ratePerSecond, overMs } of load.stages) {
    sum += ((before + ratePerSecond) / 2) * (overMs / 1000);
    before = ratePerSecond;
  }
  return sum;
}
