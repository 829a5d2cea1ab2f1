import { requestUrl } from '../../core/curl.ts';
import type { Exchange } from '../../core/exchange.ts';
import type { Redactor } from '../../core/redaction/redact.ts';
import type { Route, Target } from '../../core/target.ts';
import { shown } from '../../core/text.ts';
import type { BodyRecord, ExchangeRecord } from './record.ts';
import { at, parseJson, stringAt } from '../../core/json.ts';

const maxBodyBytes = 4096;

/** Longer than a key in any encoding. Redaction reads this far beyond the cut, so that no part of a key stays before it. */
const lookAheadBytes = 4096;

/** In characters. */
const maxPartLength = 2048;

const maxHeaders = 64;
const maxRequestId = 200;
const maxHeaderLength = 2048;

/** What reports use of a target. */
export type ShownTarget = Route & Pick<Target, 'requestIdHeader' | 'traceLink'>;

/** An exchange as it leaves the run: redacted and bounded. `judged` is what a verdict says about it. */
export function exchangeRecord(
  exchange: Exchange,
  target: ShownTarget,
  redactor: Redactor,
  judged = '',
): ExchangeRecord {
  const { operation, caller, request, sentAt, receivedAt, outcome } = exchange;
  return {
    operation,
    caller,
    request: {
      method: request.method,
      url: redactor.text(requestUrl(request.baseUrl ?? target.baseUrl, request.path)),
      headers: headersRecord(request.headers, redactor),
      ...(request.body === undefined ? {} : { body: bodyRecord(request.body, redactor) }),
    },
    sentAt: new Date(sentAt).toISOString(),
    durationMs: Math.max(0, Math.round((receivedAt - sentAt) * 1000) / 1000),
    ...marksOf(exchange, target, redactor),
    outcome:
      outcome.kind === 'answered'
        ? {
            kind: 'answered',
            status: outcome.response.status,
            headers: headersRecord(outcome.response.headers, redactor),
            body: withParts(bodyRecord(outcome.response.body, redactor), outcome.response.body, redactor, judged),
          }
        : { kind: 'failed', failure: outcome.failure, message: redactor.text(outcome.message) },
  };
}

/** What finds the request in the traces and logs of the deployment. */
function marksOf(
  { request, outcome }: Exchange,
  { requestIdHeader = '', traceLink }: ShownTarget,
  redactor: Redactor,
): Pick<ExchangeRecord, 'traceId' | 'traceUrl' | 'requestId'> {
  const traceId = request.trace?.traceId;
  const requestId = outcome.kind === 'answered' ? outcome.response.headers[requestIdHeader] : undefined;
  return {
    ...(traceId === undefined ? {} : { traceId }),
    ...(traceId === undefined || traceLink === undefined
      ? {}
      : { traceUrl: redactor.text(traceLink.replaceAll('{traceId}', traceId)) }),
    ...(requestId === undefined ? {} : { requestId: shown(redactor.text(requestId), maxRequestId) }),
  };
}

function headersRecord(headers: Readonly<Record<string, string>>, redactor: Redactor): Record<string, string> {
  const shown = Object.entries(headers).slice(0, maxHeaders);
  return Object.fromEntries(
    shown.map(([name, value]) => [redactor.text(name), redactor.text(value).slice(0, maxHeaderLength)]),
  );
}

function withParts(record: BodyRecord, body: Uint8Array, redactor: Redactor, judged: string): BodyRecord {
  if (!record.cut || record.escaped || judged === '') return record;
  const parts = judgedParts(body, judged).map(({ path, text }) => {
    const redacted = redactor.text(text);
    return { path, text: redacted.slice(0, maxPartLength).toWellFormed(), cut: redacted.length > maxPartLength };
  });
  return parts.length === 0 ? record : { ...record, parts };
}

/** The beginning of a body: as text where it is UTF-8, otherwise with its bytes escaped. */
function bodyRecord(body: string | Uint8Array, redactor: Redactor): BodyRecord {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
  const kept = bytes.subarray(0, maxBodyBytes + lookAheadBytes);
  const text = utf8Text(kept, kept.length < bytes.length);
  const redacted = redactor.text(text ?? escapedText(kept));
  const shown = redacted.length > maxBodyBytes ? redacted.slice(0, maxBodyBytes).toWellFormed() : redacted;
  const cut = shown.length < redacted.length || kept.length < bytes.length;
  return { text: shown, bytes: bytes.length, cut, escaped: text === undefined };
}

/** Undefined for bytes that are not UTF-8. A character split by the cut is left out. */
function utf8Text(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}

function escapedText(bytes: Uint8Array): string {
  const parts = Array.from(bytes, (byte) => {
    if (byte === 0x5c) return String.raw`\\`;
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return parts.join('');
}

/** A larger body is not parsed again. */
const maxBytes = 4 * 1024 * 1024;

/** Bounds the items beside the pagination. */
const maxItems = 4;

/** Where in a JSON body something is, and its JSON. */
type Part = { readonly path: string; readonly text: string };

/** The parts of a list that a judgement reads: its pagination, and the items whose place or ID the verdict names. */
function judgedParts(body: Uint8Array, judged: string): readonly Part[] {
  const json = body.length > maxBytes ? undefined : parseJson(body).value;
  const pagination = at(json, 'pagination');
  const data = at(json, 'data');
  const items: readonly unknown[] = Array.isArray(data) ? data : [];
  const places = new Set([...judged.matchAll(/\bdata\[(\d{1,6})\]/g)].map(([, place]) => Number(place)));
  const named = items.flatMap((item, place) => {
    const id = stringAt(item, 'id');
    const isNamed = places.has(place) || (id !== undefined && judged.includes(JSON.stringify(id)));
    return isNamed ? [{ path: `data[${place}]`, text: JSON.stringify(item) }] : [];
  });
  return [
    ...(pagination === undefined ? [] : [{ path: 'pagination', text: JSON.stringify(pagination) }]),
    ...named.slice(0, maxItems),
  ];
}
