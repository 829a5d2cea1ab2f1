/** The form of a date-time: exactly RFC 3339, another form of ISO 8601, or neither. */
export type DateTimeTier = 'rfc3339' | 'iso8601' | 'invalid';

type Groups = Readonly<Record<string, string | undefined>>;

const RFC_3339 = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
/** RFC 3339 section 5.6, the note on readability: a full date and a full time may be separated by a space. */
const SPACED = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))$/i;
/** Matches most date-times quickly: a day that every month has, in UTC. */
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;
const PARTS = /^(?<date>[^T]+)T(?<time>[\d:.,]+)(?<zone>Z|[+-]\d\d(?::?\d\d)?)?$/i;
const CALENDAR_DATE = /^(?<year>\d{4}|[+-]\d{6})(?<separator>-?)(?<month>\d\d)\k<separator>(?<day>\d\d)$/;
const ORDINAL_DATE = /^(?<year>\d{4})(?<separator>-?)(?<day>\d{3})$/;
const WEEK_DATE = /^(?<year>\d{4})(?<separator>-?)W(?<week>\d\d)\k<separator>[1-7]$/i;
const TIME =
  /^(?<hour>\d\d)(?:(?<separator>:?)(?<minute>\d\d)(?:\k<separator>(?<second>\d\d))?)?(?:[.,](?<rest>\d+))?$/;

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * The tier of a text that section 2 calls an ISO 8601 date-time. `rfc3339` is section 5.6 of that RFC, including lower-case t
 * and z, any number of fraction digits, and leap seconds. `iso8601` is every other complete date and time of ISO 8601: without
 * offset or seconds, with `+0200`, 24:00 or a comma, in the basic format, ordinal and week dates, six-digit years, and RFC 3339
 * with a space instead of the T. A date without a time is `invalid`, and so is an instant that no calendar or clock has. The time
 * is linear in the length of the text.
 */
export function dateTimeTier(text: string): DateTimeTier {
  if (USUAL.test(text)) return 'rfc3339';
  const parts = PARTS.exec(text.replace(SPACED, '$1T$2'))?.groups;
  if (parts === undefined) return 'invalid';
  const date = readDate(parts['date'] ?? '');
  const time = TIME.exec(parts['time'] ?? '')?.groups;
  if (date === undefined || time === undefined) return 'invalid';
  if (!sameFormat(date, time) || !isTimeOfDay(time, parts['zone'])) return 'invalid';
  return RFC_3339.test(text) ? 'rfc3339' : 'iso8601';
}

/** The groups of a date; undefined if the calendar does not have it. */
function readDate(text: string): Groups | undefined {
  const groups: Groups | undefined = (CALENDAR_DATE.exec(text) ?? ORDINAL_DATE.exec(text) ?? WEEK_DATE.exec(text))
    ?.groups;
  if (groups === undefined) return undefined;
  const year = Number(groups['year']);
  if (groups['week'] !== undefined) return within(groups['week'], 1, weeksIn(year)) ? groups : undefined;
  if (groups['month'] === undefined) return within(groups['day'], 1, isLeap(year) ? 366 : 365) ? groups : undefined;
  return within(groups['day'], 1, daysIn(year, Number(groups['month']))) ? groups : undefined;
}

/** ISO 8601 does not allow mixing the basic and the extended format. An hour alone is in both. */
function sameFormat(date: Groups, time: Groups): boolean {
  return time['separator'] === undefined || (date['separator'] === '-') === (time['separator'] === ':');
}

function isTimeOfDay(time: Groups, zone: string | undefined): boolean {
  const hour = Number(time['hour']);
  const minute = Number(time['minute'] ?? 0);
  const second = Number(time['second'] ?? 0);
  const offsetMinutes = zoneOffsetMinutes(zone);
  if (Number.isNaN(offsetMinutes) || minute > 59) return false;
  if (hour === 24) return minute === 0 && second === 0 && /^0*$/.test(time['rest'] ?? '');
  if (hour > 24 || second > 60) return false;
  return second < 60 || isLeapSecondMinute(hour * 60 + minute, zone === undefined ? undefined : offsetMinutes);
}

/** A leap second ends a day in UTC. A local time can have any offset, so the end of any full hour is accepted. */
function isLeapSecondMinute(minuteOfDay: number, offsetMinutes: number | undefined): boolean {
  if (offsetMinutes === undefined) return minuteOfDay % 60 === 59;
  return (minuteOfDay - offsetMinutes + 2 * 1440) % 1440 === 1439;
}

/** Minutes east of UTC; 0 without an offset, NaN for an offset that no clock has. */
function zoneOffsetMinutes(zone: string | undefined): number {
  if (zone === undefined || zone.length === 1) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function within(digits: string | undefined, least: number, most: number): boolean {
  const value = Number(digits);
  return value >= least && value <= most;
}

function daysIn(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (MONTH_DAYS[month - 1] ?? 0);
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/** A year has 53 weeks when it ends, or the year before it ended, on the right weekday: Thursday, or Wednesday. */
function weeksIn(year: number): number {
  return lastWeekday(year) === 4 || lastWeekday(year - 1) === 3 ? 53 : 52;
}

/** The weekday of 31 December, 0 for Sunday. */
function lastWeekday(year: number): number {
  const days = year + Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  return ((days % 7) + 7) % 7;
}
