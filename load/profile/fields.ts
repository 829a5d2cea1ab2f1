import { z } from 'zod';
import { parseDurationMs, parseShare } from './quantity.ts';

// Fields that profiles have in common. An error continues the name of the field: "load.open.rate must be …".

export const dayMs = 86_400_000;

/** What a field may hold, for the reference of all fields, from what it must be. */
export function allowedOf(error: string): string {
  return error.replace(/^must be /, '');
}

export function count(error: string, most: number) {
  return z
    .int({ error })
    .min(1, { error })
    .max(most, { error })
    .meta({ allowed: allowedOf(error) });
}

export function rate(of: 'requests' | 'users' = 'requests') {
  const error = `must be a number of ${of} a second, over 0 and at most 100000`;
  return z
    .number({ error })
    .positive({ error })
    .max(100_000, { error })
    .meta({ allowed: allowedOf(error) });
}

export function sockets() {
  return count('must be a whole number of sockets from 1 to 20000', 20_000)
    .describe('The maximum number of open connections; 512 by default.')
    .optional();
}

/** A time as text, from `leastMs` to `mostMs`. */
export function duration(error: string, leastMs: number, mostMs: number) {
  return z
    .string({ error })
    .refine(
      (text) => {
        const ms = parseDurationMs(text);
        return ms !== undefined && ms >= leastMs && ms <= mostMs;
      },
      { error },
    )
    .meta({ allowed: allowedOf(error) });
}

export function share(error: string) {
  return z
    .string({ error })
    .refine((text) => (parseShare(text) ?? 2) <= 1, { error })
    .meta({ allowed: allowedOf(error) });
}

/** A duration that the schema has accepted, in milliseconds. */
export function durationMs(text: string): number {
  const value = parseDurationMs(text);
  if (value === undefined) throw new Error(`a duration that was not checked: ${text}`);
  return value;
}

/** A share that the schema has accepted, as a fraction of 1. */
export function shareOf(text: string): number {
  const value = parseShare(text);
  if (value === undefined) throw new Error(`a share that was not checked: ${text}`);
  return value;
}
