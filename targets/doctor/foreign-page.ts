import { requestUrl } from '../../core/curl.ts';
import { type Answer, bodyOf } from '../../core/exchange.ts';
import { shown } from '../../core/text.ts';

/** Bytes of a page in which its first line is looked for. */
const maxPageBytes = 8192;

/** The headers by which the writer of a page identifies itself, says what is wrong (RFC 9209), or asks for credentials. */
const tellingHeaders = [
  'server',
  'via',
  'proxy-status',
  'x-squid-error',
  'www-authenticate',
  'proxy-authenticate',
] as const;

/** What shows who wrote an answer that is not of this API: status, type or target, first line, and headers of gateways. */
export function describePage({ status, headers, exchange }: Answer): string {
  const { location, 'content-type': type } = headers;
  const line = firstLine(bodyOf(exchange));
  const facts = [
    ...(line === '' ? [] : [JSON.stringify(shown(line, 120))]),
    ...tellingHeaders.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${shown(headers[name], 80)}`])),
  ];
  const what =
    location === undefined ? (type === undefined ? '' : ` with ${shown(type, 60)}`) : ` to ${shown(location)}`;
  return `${status}${what}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

/** What may be wrong if such a page answers every request, as a sentence. */
export function adviceAbout({ status, headers }: Answer, baseUrl: string): string {
  if (status === 407) return 'A proxy wants credentials: write them into the URL of proxy.';
  if (/^(basic|digest|negotiate|ntlm)\b/i.test(headers['www-authenticate'] ?? '')) {
    return 'A gateway wants credentials in the header Authorization, which carries the API key: let it ask for another header, or for a client certificate.';
  }
  if (status === 401 || headers['www-authenticate'] !== undefined) {
    return 'A gateway wants credentials of its own: add them under headers.';
  }
  if (status === 403) {
    return 'A gateway refuses the requests: do they need another header (headers), or another network (proxy)?';
  }
  if (status >= 300 && status < 400) return 'Is the base URL right? Redirects are not followed.';
  if (status === 426 || status === 505)
    return 'The server wants another version of HTTP: set http2: auto, or always if baseUrl begins with http://.';
  if (status >= 500) return 'The service behind the gateway does not answer: is it running?';
  if (status < 300) return 'Is the base URL right? This may be a web application or a login page.';
  return `Is the path of the base URL right? Requests go to ${requestUrl(baseUrl, '/api/public/…')}`;
}

/** The title or the first line of a page, without its markup. */
function firstLine(body: Uint8Array): string {
  const page = Buffer.from(body.subarray(0, maxPageBytes)).toString();
  const text = page.replaceAll(/<(script|style)\b[^]*?<\/\1\s*>/gi, ' ').replaceAll(/<[^>]*>/g, '\n');
  return (text.split('\n').find((line) => line.trim() !== '') ?? '').trim();
}
