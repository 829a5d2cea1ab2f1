import { isUtf8 } from 'node:buffer';
import type { Exchange } from '../../core/exchange.ts';
import type { HttpRequest } from '../../core/http.ts';
import type { Redactor } from '../../core/redaction/redact.ts';
import type { RecordedRequest, Recording } from './recording.ts';

/** The recording without keys. Bodies stay whole, and equal bodies stay one object. */
export function redactRecording(recording: Recording, redactor: Redactor): Recording {
  const known = new Map<Uint8Array, Uint8Array>();

  function outcomeOf(outcome: Exchange['outcome']): Exchange['outcome'] {
    if (outcome.kind === 'failed') return { ...outcome, message: redactor.text(outcome.message) };
    const { status, headers, body } = outcome.response;
    const redacted = known.get(body) ?? bytesWithoutKeys(body, redactor);
    known.set(body, redacted);
    return { kind: 'answered', response: { status, headers: headersWithoutKeys(headers, redactor), body: redacted } };
  }

  return {
    ...recording,
    events: recording.events.map((event) =>
      event.kind === 'wake'
        ? event
        : { ...event, request: redactRequest(event.request, redactor), outcome: outcomeOf(event.outcome) },
    ),
  };
}

export function redactRequest(request: RecordedRequest | HttpRequest, redactor: Redactor): RecordedRequest {
  const { method, path, headers, body } = request;
  return {
    method,
    path: redactor.text(path),
    headers: headersWithoutKeys(headers, redactor),
    ...(body === undefined ? {} : { body: bodyWithoutKeys(body, redactor) }),
  };
}

function headersWithoutKeys(headers: Readonly<Record<string, string>>, redactor: Redactor): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [redactor.text(name), redactor.text(value)]),
  );
}

function bodyWithoutKeys(body: string | Uint8Array, redactor: Redactor): string | Uint8Array {
  return typeof body === 'string' ? textWithoutKeys(body, redactor) : bytesWithoutKeys(body, redactor);
}

/** Reads bytes that are not UTF-8 as latin1, so that it finds a key in them too and changes no other byte. */
function bytesWithoutKeys(body: Uint8Array, redactor: Redactor): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const redacted = textWithoutKeys(text, redactor);
  return redacted === text ? body : Buffer.from(redacted, encoding);
}

/** Unlike `redactor.text`, it cuts nothing, because an answer that is cut cannot be judged again. */
function textWithoutKeys(text: string, redactor: Redactor): string {
  const pieces = redactor.pieces(text);
  return pieces.map((piece) => (piece.kind === 'literal' ? piece.text : piece.variable)).join('');
}
