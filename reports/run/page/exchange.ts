import { longText } from '../../page/elements.ts';
import { indentJson } from '../../page/indent-json.ts';
import { lines, type Markup, markup } from '../../page/markup.ts';
import type { BodyRecord, ExchangeRecord } from '../../record/record.ts';
import { some } from '../../text/figures.ts';

/** A whole exchange: the request beside the response. */
export function exchangeDetails(exchange: ExchangeRecord): Markup {
  const { request, outcome } = exchange;
  const { method, url, headers, body } = request;
  const response =
    outcome.kind === 'answered'
      ? message('Response', `${outcome.status}`, outcome.headers, outcome.body)
      : markup`<div><p class="label">No response</p><pre>${lines(`${outcome.failure}: ${outcome.message}`)}</pre></div>`;
  return markup`${marks(exchange)}<div class="exchange">${message('Request', `${method} ${url}`, headers, body)}${response}</div>`;
}

/** What finds the request in the traces and logs of the deployment. */
function marks({ traceId, traceUrl, requestId }: ExchangeRecord): Markup | undefined {
  if (traceId === undefined && requestId === undefined) return undefined;
  const trace = traceId === undefined ? undefined : markup`Trace ${traceMarkup(traceId, traceUrl)}`;
  const id = requestId === undefined ? undefined : markup` Request id <code>${requestId}</code>`;
  return markup`<p class="note">${trace}${id}</p>`;
}

/** The ID of a trace, as a link to it if the report knows where it is shown. */
export function traceMarkup(traceId: string, traceUrl: string | undefined): Markup {
  // A report from elsewhere can hold any text here.
  const link = traceUrl !== undefined && /^https?:\/\//.test(traceUrl) ? traceUrl : undefined;
  return link === undefined ? markup`<code>${traceId}</code>` : markup`<a href="${link}">${traceId}</a>`;
}

/** The outcome as a status or a failure. */
export function outcomeWord({ outcome }: ExchangeRecord): Markup {
  const word = outcome.kind === 'failed' ? `no answer (${outcome.failure})` : `${outcome.status}`;
  return markup`<span class="status">${word}</span>`;
}

function message(
  title: string,
  firstLine: string,
  headers: Readonly<Record<string, string>>,
  body: BodyRecord | undefined,
): Markup {
  const rows = Object.entries(headers).map(([name, value]) => markup`\n<span class="name">${name}:</span> ${value}`);
  return markup`<div><p class="label">${title}</p>
<pre><b>${firstLine}</b>${rows}</pre>${body && bodyMarkup(body)}</div>`;
}

function bodyMarkup({ text, bytes, cut, escaped, parts = [] }: BodyRecord): Markup {
  const notes = [
    some(bytes, 'byte'),
    ...(cut ? ['only the beginning is kept; the shell command or awc replay gets all of it'] : []),
    ...(escaped ? [String.raw`not UTF-8: bytes are written as \xNN`] : []),
  ];
  const pre = bytes === 0 ? undefined : longText('Body', lines(indentJson(text, cut)));
  const more = parts.map(
    (part) =>
      markup`<p class="note body-note">${part.path}${part.cut ? ', its beginning' : ''}</p>${longText(part.path, lines(indentJson(part.text, part.cut)))}`,
  );
  return markup`<p class="note body-note">Body, ${notes.join(', ')}</p>${pre}${more}`;
}
