const unitsMs = { us: 0.001, µs: 0.001, ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 } as const;

/** A length of time such as `250ms`, `1.5s` or `10m`, in milliseconds; undefined for anything else. */
export function parseDurationMs(text: string): number | undefined {
  const parts = /^(\d+(?:\.\d+)?) ?(us|µs|ms|s|min|m|h)$/.exec(text);
  if (parts === null) return undefined;
  const unit = Object.entries(unitsMs).find(([name]) => name === parts[2]);
  return unit === undefined ? undefined : Number(parts[1]) * unit[1];
}

/** A share such as `5%`, as a fraction of 1; undefined for anything else. It may be over 1. */
export function parseShare(text: string): number | undefined {
  const parts = /^(\d+(?:\.\d+)?) ?%$/.exec(text);
  return parts === null ? undefined : Number(parts[1]) / 100;
}
