import type { TimestampForm } from './options.ts';

/** An instant in milliseconds, written as RFC 3339 in the given form. */
export function timestamp(form: TimestampForm, ms: number): string {
  const whole = Math.floor(ms);
  const text = new Date(whole).toISOString();
  switch (form) {
    case 'milliseconds':
      return text;
    case 'seconds':
      return `${text.slice(0, 19)}Z`;
    case 'microseconds':
      return `${text.slice(0, 23)}000Z`;
    case 'zero-offset':
      return `${text.slice(0, 23)}+00:00`;
    case 'offset':
      return `${new Date(whole + 19_800_000).toISOString().slice(0, 23)}+05:30`;
    case 'uneven':
      return whole % 400 < 200 ? `${text.slice(0, 19)}Z` : text;
  }
}
