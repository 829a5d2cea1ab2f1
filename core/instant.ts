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
