/**
 * The instant of a date-time in milliseconds since the epoch; undefined for a date-time without offset and for the rarer
 * forms of ISO 8601. Fractions beyond the millisecond are cut off.
 */
export function instantOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const parts = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?(Z|z|[+-]\d\d:?\d\d)$/.exec(text);
  if (parts === null) return undefined;
  const [, date, minutes, seconds = ':00', fraction = '0', zone = 'Z'] = parts;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const ms = Date.parse(`${date}T${minutes}${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * Whether one date-time is surely later than another; undefined where one of them cannot be read. Where they are written
 * with unequal precision, a difference below the coarser one says nothing.
 */
export function isAfter(one: unknown, other: unknown): boolean | undefined {
  const [later, earlier] = [instantOf(one), instantOf(other)];
  if (later === undefined || earlier === undefined) return undefined;
  const [fine, coarse] = [precisionMs(one), precisionMs(other)].toSorted((a, b) => a - b);
  return later - earlier > (fine === coarse ? 0 : (coarse ?? 0));
}

/** Whether neither of two date-times is surely later; undefined where one of them cannot be read. */
export function isSameTime(one: unknown, other: unknown): boolean | undefined {
  const [isLater, isEarlier] = [isAfter(one, other), isAfter(other, one)];
  return isLater === undefined ? undefined : !isLater && isEarlier === false;
}

/** The unit of the last digit of a date-time that {@link instantOf} can read. */
function precisionMs(text: unknown): number {
  const [, seconds, fraction] = /T\d\d:\d\d(:\d\d)?(?:[.,](\d+))?/i.exec(String(text).replace(' ', 'T')) ?? [];
  if (seconds === undefined) return 60_000;
  return 1000 / 10 ** (fraction?.length ?? 0);
}
