import { z } from 'zod';
import { hasMoreCharacters } from './characters.ts';
import { countCodePoints } from './code-points.ts';
import { dateTimeTier } from './date-time-tier.ts';

/** Lengths in characters, both ends included. */
export type TextLimits = { readonly min?: number; readonly max: number; readonly pattern?: RegExp };

/** A string whose length is within the limits by some count of its characters. */
export function boundedText({ min = 0, max, pattern }: TextLimits) {
  const base = pattern === undefined ? z.string() : z.string().regex(pattern);
  return base
    .check((context) => {
      const input = context.value;
      if (hasMoreCharacters(input, max)) {
        context.issues.push({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input });
      }
      // A code point is one or two units, so most lengths are settled without a count.
      if (input.length < 2 * min && countCodePoints(input) < min) {
        context.issues.push({ code: 'too_small', origin: 'string', minimum: min, inclusive: true, input });
      }
    })
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max });
}

/**
 * A date-time of section 2: any form of ISO 8601. It should also be RFC 3339, which a check judges with `dateTimes`. That function
 * recognises a declared date-time by this very object, so never use a copy made with `.meta()` or `.describe()`.
 */
export const dateTime = z
  .string()
  .check((context) => {
    if (dateTimeTier(context.value) === 'invalid') {
      context.issues.push({ code: 'invalid_format', format: 'date-time', input: context.value });
    }
  })
  .meta({ format: 'date-time' });

/** An enumeration that is not shown in full: any string, with the values that the specification has seen. */
export function openEnumeration(...seen: readonly string[]) {
  return z.string().meta({ 'x-extensible-enum': seen });
}

/** The `...IfAny` types are for fields whose "required" and "nullable" are not shown: absent and null are both legal. */
export const textIfAny = z.string().nullish();
export const numberIfAny = z.number().nullish();
export const booleanIfAny = z.boolean().nullish();
export const dateTimeIfAny = dateTime.nullish();
