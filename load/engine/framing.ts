/** Where the body of an answer ends. */
export type Framing = {
  readonly body:
    | { readonly kind: 'none' | 'chunked' | 'untilEnd' | 'interim' }
    | { readonly kind: 'sized'; readonly length: number };
  /** For how long the connection may be used again after it, in milliseconds; 0 if it may not. */
  readonly keepMs: number;
};

/** Shorter than servers usually keep an idle connection, so that they rarely close one that is about to be used. */
const longestKeepMs = 2000;
/** No request is sent on a connection within this time before the server closes it, according to the keep-alive header. */
const keepMarginMs = 1000;

const framingHeader = /\r\n(content-length|transfer-encoding|connection|keep-alive):[ \t]*([^\r]*)/gi;

/** The framing of a body by its status line and headers (RFC 9112, section 6.3); undefined if it is ambiguous. */
export function framingOf(head: string, status: number, isPersistent: boolean): Framing | undefined {
  let length: number | undefined;
  let isChunked = false;
  let keepMs = isPersistent ? longestKeepMs : 0;
  framingHeader.lastIndex = 0; // `matchAll` would copy the expression for each head
  for (let found = framingHeader.exec(head); found !== null; found = framingHeader.exec(head)) {
    const [, name = '', text = ''] = found;
    const value = text.trim().toLowerCase();
    switch (name.toLowerCase()) {
      case 'content-length':
        if (!/^\d{1,15}$/.test(value) || (length !== undefined && length !== Number(value))) return undefined;
        length = Number(value);
        break;
      case 'transfer-encoding':
        if (value !== 'chunked' || isChunked) return undefined;
        isChunked = true;
        break;
      case 'connection':
        if (/(?:^|[,\s])close(?:[,\s]|$)/.test(value)) keepMs = 0;
        break;
      case 'keep-alive':
        keepMs = Math.min(keepMs, keptFor(value));
        break;
    }
  }
  if (status === 101 || (isChunked && length !== undefined)) return undefined;
  if (status < 200) return { body: { kind: 'interim' }, keepMs };
  if (status === 204 || status === 304) return { body: { kind: 'none' }, keepMs };
  if (isChunked) return { body: { kind: 'chunked' }, keepMs };
  if (length === undefined) return { body: { kind: 'untilEnd' }, keepMs: 0 };
  return { body: { kind: 'sized', length }, keepMs };
}

function keptFor(keepAlive: string): number {
  const [, seconds] = /timeout=(\d{1,6})/.exec(keepAlive) ?? [];
  return seconds === undefined ? longestKeepMs : Math.max(0, Number(seconds) * 1000 - keepMarginMs);
}
