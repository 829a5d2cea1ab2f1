import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { transportFailures } from '../../core/http.ts';
import { Malformed } from './bundle.ts';
import type { RecordedEvent, RecordedRequest, Recording } from '../recording/recording.ts';
import { readStrictJson } from './strict-json.ts';

const format = 'awc-exchanges/1';

/** The most lines; the longest run has fewer. */
const maxLines = 1_000_000;
/** The most members and items of a line; most are readings of the clock. */
const maxItems = 20_000;

const headersSchema = z.record(z.string(), z.string());
/** Milliseconds since the start: no run takes a year. */
const clockSchema = z.array(
  z
    .number()
    .min(0)
    .max(366 * 86_400_000),
);
const countSchema = z.int().min(0);
/** Text, or bytes that are not UTF-8. */
const bodySchema = z.union([z.string(), z.strictObject({ base64: z.base64() })]);

const headSchema = z.strictObject({ format: z.literal(format), startMs: z.int().min(0).max(Date.UTC(2200)) });
const requestSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'DELETE']),
  path: z.string(),
  baseUrl: z.string().optional(),
  headers: headersSchema,
  body: bodySchema.optional(),
});
const lineSchema = z.union([
  z.strictObject({ body: countSchema, of: bodySchema }),
  z.strictObject({
    exchange: countSchema,
    clock: clockSchema,
    request: requestSchema,
    answer: z.strictObject({ status: z.int().min(0).max(999), headers: headersSchema, body: countSchema }),
  }),
  z.strictObject({
    exchange: countSchema,
    clock: clockSchema,
    request: requestSchema,
    failure: z.strictObject({ kind: z.enum(transportFailures), message: z.string() }),
  }),
  z.strictObject({ wake: countSchema, clock: clockSchema }),
  z.strictObject({ end: countSchema, clock: clockSchema }),
]);

type Body = z.infer<typeof bodySchema>;
type Line = z.infer<typeof lineSchema>;

/** One JSON value for each line: a head, the events in order, each body before the first answer that has it, and an end. */
export function renderRecording({ startMs, events, clockAtEnd }: Recording): string {
  const numbers = new Map<Uint8Array, number>();
  const lines: (Line | z.infer<typeof headSchema>)[] = [{ format, startMs }];

  function numberOf(body: Uint8Array): number {
    const known = numbers.get(body);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(body, number);
    lines.push({ body: number, of: writtenBody(body) });
    return number;
  }

  for (const event of events) {
    const clock = [...event.clock];
    if (event.kind === 'wake') {
      lines.push({ wake: event.sleep, clock });
      continue;
    }
    const common = { exchange: event.number, clock, request: writtenRequest(event.request) };
    if (event.outcome.kind === 'failed') {
      const { failure: kind, message } = event.outcome;
      lines.push({ ...common, failure: { kind, message } });
    } else {
      const { status, headers, body } = event.outcome.response;
      lines.push({ ...common, answer: { status, headers, body: numberOf(body) } });
    }
  }
  lines.push({ end: events.length, clock: [...clockAtEnd] });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The recording in a file of that name. Throws Malformed. */
export function parseRecording(text: string, name: string): Recording {
  const lines = text.split('\n', maxLines + 1);
  if (lines.length > maxLines) throw new Malformed(`${name} has more than ${maxLines} lines`);
  if (lines.pop() !== '') throw new Malformed(`${name} does not end with a whole line`);
  const head = readStrictJson(headSchema, lines[0] ?? '', `${name}, line 1,`, maxItems);
  const bodies: Uint8Array[] = [];
  const events: RecordedEvent[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue;
    const what = `${name}, line ${index + 1},`;
    const value = readStrictJson(lineSchema, line, what, maxItems);
    if ('end' in value) {
      if (index !== lines.length - 1 || value.end !== events.length) {
        throw new Malformed(`${what} says that ${value.end} events end here, which is not so`);
      }
      return { startMs: head.startMs, events, clockAtEnd: value.clock };
    }
    if ('body' in value) {
      if (value.body !== bodies.length) throw new Malformed(`${what} numbers a body ${value.body} out of turn`);
      bodies.push(readBytes(value.of));
    } else events.push(eventOf(value, bodies, what));
  }
  throw new Malformed(`${name} is cut off: its last line is missing`);
}

function eventOf(
  line: Exclude<Line, { end: number } | { of: Body }>,
  bodies: readonly Uint8Array[],
  what: string,
): RecordedEvent {
  const { clock } = line;
  if ('wake' in line) return { kind: 'wake', clock, sleep: line.wake };
  const common = { kind: 'exchange' as const, clock, number: line.exchange, request: readRequest(line.request) };
  if ('failure' in line) {
    const { kind: failure, message } = line.failure;
    return { ...common, outcome: { kind: 'failed', failure, message } };
  }
  const { status, headers, body: number } = line.answer;
  const body = bodies[number];
  if (body === undefined) throw new Malformed(`${what} names body ${number}, which does not exist`);
  return { ...common, outcome: { kind: 'answered', response: { status, headers, body } } };
}

function writtenRequest({ body, ...rest }: RecordedRequest): z.infer<typeof requestSchema> {
  return { ...rest, ...(body === undefined ? {} : { body: typeof body === 'string' ? body : writtenBytes(body) }) };
}

function readRequest({ body, ...rest }: z.infer<typeof requestSchema>): RecordedRequest {
  if (body === undefined) return rest;
  return { ...rest, body: typeof body === 'string' ? body : Buffer.from(body.base64, 'base64') };
}

function writtenBody(body: Uint8Array): Body {
  return isUtf8(body) ? Buffer.from(body).toString('utf8') : writtenBytes(body);
}

function writtenBytes(body: Uint8Array): Body {
  return { base64: Buffer.from(body).toString('base64') };
}

function readBytes(body: Body): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body, 'utf8') : Buffer.from(body.base64, 'base64');
}
