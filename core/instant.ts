/** The instant of a date-time in milliseconds since the epoch, and the unit of its last digit in milliseconds. */
type Reading = { readonly ms: number; readonly unitMs: number };

/** The form in which most deployments write date-times. It is read in a third of the time of the others. */
const usual = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Undefined for a date-time without offset and for the rarer forms of ISO 8601. Fractions beyond the millisecond are cut off. */
function read(text: unknown): Reading | undefined {
  if (typeof text !== 'string') return undefined;
  if (usual.test(text)) return readingOf(text, 1);
  const parts = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?(Z|z|[+-]\d\d:?\d\d)$/.exec(text);
  if (parts === null) return undefined;
  const [, date, minutes, seconds, fraction = '', zone = 'Z'] = parts;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const usualForm = `${date}T${minutes}${seconds ?? ':00'}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`;
  return readingOf(usualForm, seconds === undefined ? 60_000 : 1000 / 10 ** fraction.length);
}

function readingOf(dateTime: string, unitMs: number): Reading | undefined {
  const ms = Date.parse(dateTime);
  return Number.isNaN(ms) ? undefined : { ms, unitMs };
}

/** The instant of a date-time in milliseconds since the epoch; undefined if it cannot be read. */
export function instantOf(text: unknown): number | undefined {
  return read(text)?.ms;
}

/**
 * How much later one date-time is than another, in milliseconds; undefined where one of them cannot be read. Where they are
 * written with unequal precision, a difference up to the coarser one says nothing and is 0.
 */
function apartMs(one: unknown, other: unknown): number | undefined {
  const a = read(one);
  const b = other === one ? a : a && read(other);
  if (a === undefined || b === undefined) return undefined;
  const unsureMs = a.unitMs === b.unitMs ? 0 : Math.max(a.unitMs, b.unitMs);
  return Math.abs(a.ms - b.ms) > unsureMs ? a.ms - b.ms : 0;
}

/** Whether one date-time is surely later than another; undefined where one of them cannot be read. */
export function isAfter(one: unknown, other: unknown): boolean | undefined {
  const apart = apartMs(one, other);
  return apart === undefined ? undefined : apart > 0;
}

/** How far the clocks of two processes may be apart, in milliseconds. */
const clocksMs = 5000;

/** Whether one date-time is later than another, also if two clocks wrote them; undefined where one of them cannot be read. */
export function isAfterByAnyClock(one: unknown, other: unknown): boolean | undefined {
  const apart = apartMs(one, other);
  return apart === undefined ? undefined : apart > clocksMs;
}

/** Whether neither of two date-times is surely later; undefined where one of them cannot be read. */
export function isSameTime(one: unknown, other: unknown): boolean | undefined {
  const apart = apartMs(one, other);
  return apart === undefined ? undefined : apart === 0;
}

/** Two changes in this time, in milliseconds, may have the same time where it has only whole minutes, hours or days. */
const coarseMs = 60_000;

/** Whether a time may be too coarse to tell one change from the next; undefined if it cannot be read. */
export function isCoarse(text: unknown): boolean | undefined {
  const at = instantOf(text);
  return at === undefined ? undefined : at % coarseMs === 0;
}
