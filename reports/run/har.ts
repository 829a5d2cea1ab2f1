import type { BodyRecord, ExchangeRecord, RunRecord } from '../record/record.ts';
import { safeJson } from '../text/safe-json.ts';

/** The exchanges of a run as HAR 1.2, oldest first; each comment is the check or the observation that it proves. */
export function renderHar({ suite, target, checks, observations }: RunRecord): string {
  const entries = [
    ...checks.flatMap(({ id, exchanges }) => exchanges.map((exchange) => entryOf(exchange, id))),
    ...observations.flatMap(({ point, exchange }) => (exchange === undefined ? [] : [entryOf(exchange, point)])),
  ].toSorted((left, right) => Date.parse(left.startedDateTime) - Date.parse(right.startedDateTime));
  const creator = { name: suite.name, version: suite.version };
  return safeJson({ log: { version: '1.2', creator, entries, comment: `${target.name}: keys are replaced` } });
}

function entryOf(exchange: ExchangeRecord, comment: string) {
  const { request, sentAt, durationMs, traceId, requestId } = exchange;
  const marks = [comment, traceId && `trace ${traceId}`, requestId && `request id ${requestId}`];
  const { method, url, headers, body } = request;
  return {
    startedDateTime: sentAt,
    time: durationMs,
    request: {
      method,
      url: validUrl(url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headerList(headers),
      queryString: queryOf(url),
      ...(body === undefined ? {} : { postData: contentOf(body, headers) }),
      headersSize: -1,
      bodySize: body?.bytes ?? 0,
    },
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: marks.filter((mark) => mark !== undefined).join('; '),
  };
}

/** Status 0 is how browsers, too, write that no answer came. */
function responseOf({ outcome }: ExchangeRecord) {
  const common = { httpVersion: 'HTTP/1.1', cookies: [], redirectURL: '', headersSize: -1 };
  if (outcome.kind === 'failed') {
    const content = { size: 0, mimeType: 'x-unknown' };
    return {
      ...common,
      status: 0,
      statusText: outcome.failure,
      headers: [],
      content,
      bodySize: -1,
      comment: outcome.message,
    };
  }
  const { status, headers, body } = outcome;
  const content = { size: body.bytes, ...contentOf(body, headers) };
  return { ...common, status, statusText: '', headers: headerList(headers), content, bodySize: body.bytes };
}

function contentOf({ text, cut, escaped }: BodyRecord, headers: Readonly<Record<string, string>>) {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  const notes = [...(cut ? ['only the beginning'] : []), ...(escaped ? ['no UTF-8: bytes are written as \\xNN'] : [])];
  const comment = notes.length === 0 ? {} : { comment: notes.join('; ') };
  return { mimeType: type?.[1] ?? 'x-unknown', text, ...comment };
}

function headerList(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function queryOf(url: string) {
  const at = url.indexOf('?');
  if (at < 0) return [];
  return [...new URLSearchParams(url.slice(at + 1))].map(([name, value]) => ({ name, value }));
}

/** HAR wants a URI: whatever cannot stand in one as it was sent is percent-encoded. */
function validUrl(url: string): string {
  return url.toWellFormed().replace(/%(?![0-9a-f]{2})|[^\w\-.~:/?#@!$&'()*+,;=%]/giu, encodeURIComponent);
}
