import { z } from 'zod';
import { clip, countCodePoints } from './code-points.ts';
import { pathText } from './path-text.ts';
import { isRecord, outlineOf, type Path } from './walk.ts';

/** Where a value differs from its schema, what the schema requires there, and what was received, in at most 120 code points. */
export type SchemaIssue = { readonly path: string; readonly expected: string; readonly received: string };

const MAX_ISSUES = 20;
const MAX_RECEIVED = 120;

/**
 * The first 20 differences between a parsed body and its schema, in the order of the schema. An array with too many items is one
 * difference, and its items are not judged. Large and deep values are described, never printed.
 */
export function schemaIssues(schema: z.core.$ZodType, body: unknown): SchemaIssue[] {
  const found: SchemaIssue[] = [];
  collect(schema, body, [], found);
  return found;
}

/** The result is a plain boolean, because the type guard would narrow a value that does not conform to never. */
export function conforms(schema: z.core.$ZodType, value: unknown): boolean {
  return z.core.validate(schema, value);
}

/**
 * Zod alone decides whether a value conforms. Where it does not, this function finds the place, from the outside in: for a large
 * hostile body, Zod would report millions of issues at once.
 */
function collect(schema: z.core.$ZodType, value: unknown, path: Path, found: SchemaIssue[]): void {
  if (conforms(schema, value) || found.length >= MAX_ISSUES) return;
  const { fields, element, maxItems, nullable } = outlineOf(schema);
  if (element !== undefined && Array.isArray(value) && value.length <= maxItems) {
    for (let index = 0; index < value.length && found.length < MAX_ISSUES; index += 1) {
      collect(element, value[index], [...path, index], found);
    }
  } else if (fields !== undefined && isRecord(value)) {
    for (const [key, field] of fields) {
      collect(field, Object.hasOwn(value, key) ? value[key] : undefined, [...path, key], found);
    }
  } else {
    for (const issue of ownIssues(schema, value).slice(0, MAX_ISSUES - found.length)) {
      const expected = `${describeExpected(issue)}${nullable ? ' or null' : ''}`;
      found.push({ path: pathText(path), expected, received: describeReceived(issue) });
    }
  }
}

/** The issues of a value without parts to look into. Beside a wrong type, no other issue is worth reporting. */
function ownIssues(schema: z.core.$ZodType, value: unknown): z.core.$ZodIssue[] {
  const issues = z.safeParse(schema, value, { reportInput: true }).error?.issues ?? [];
  return issues[0]?.code === 'invalid_type' ? issues.slice(0, 1) : issues;
}

function describeExpected(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected;
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'too_big':
      return `at most ${amount(Number(issue.maximum), issue.origin)}`;
    case 'too_small':
      return `at least ${amount(Number(issue.minimum), issue.origin)}`;
    case 'invalid_format':
      return issue.format === 'date-time' ? 'ISO 8601 date-time' : `text matching ${issue.pattern ?? issue.format}`;
    case 'invalid_union':
      return issue.errors.map(([first]) => (first === undefined ? 'anything' : describeExpected(first))).join(' or ');
    default:
      return issue.message;
  }
}

function describeReceived(issue: z.core.$ZodIssue): string {
  const { input } = issue;
  if (issue.code === 'too_big' || issue.code === 'too_small') {
    if (typeof input === 'string') return amount(countCodePoints(input), 'string');
    if (Array.isArray(input)) return amount(input.length, 'array');
  }
  return clip(describeValue(input), MAX_RECEIVED);
}

function describeValue(value: unknown): string {
  if (value === undefined) return 'absent';
  if (Array.isArray(value)) return `array of ${amount(value.length, 'array')}`;
  if (typeof value === 'object' && value !== null) return 'object';
  // Cut first, so that no text of megabytes is escaped. JSON escapes lone surrogates.
  return typeof value === 'string' ? JSON.stringify(clip(value, MAX_RECEIVED)) : String(value);
}

function amount(count: number, origin: string): string {
  if (origin === 'array') return `${count} ${count === 1 ? 'item' : 'items'}`;
  if (origin === 'string') return `${count} ${count === 1 ? 'character' : 'characters'}`;
  return String(count);
}
