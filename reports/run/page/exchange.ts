import type { BodyRecord, ExchangeRecord } from '../../record/record.ts';
import { indentJson } from '../../page/indent-json.ts';
import { lines, type Markup, markup } from '../../page/markup.ts';

/** An exchange whole: what was sent, and what came. */
export function exchangeDetails({ request, outcome }: ExchangeRecord): Markup {
  const { method, url, headers, body } = request;
  const came =
    outcome.kind === 'answered'
      ? message('Answer', `${outcome.status}`, outcome.headers, outcome.body)
      : markup`<div><p class="label">No answer</p><pre>${lines(`${outcome.failure}: ${outcome.message}`)}</pre></div>`;
  return markup`<div class="exchange">${message('Request', `${method} ${url}`, headers, body)}${came}</div>`;
}

/** What came, in a word. */
export function outcomeWord({ outcome }: ExchangeRecord): Markup {
  if (outcome.kind === 'failed') return markup`<span class="status">no answer (${outcome.failure})</span>`;
  return markup`<span class="status">${outcome.status}</span>`;
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

function bodyMarkup({ text, bytes, cut, escaped }: BodyRecord): Markup {
  const notes = [
    `${bytes.toLocaleString('en')} bytes`,
    ...(cut ? ['only the beginning is kept'] : []),
    ...(escaped ? ['no UTF-8: bytes are written as \\xNN'] : []),
  ];
  const pre = bytes === 0 ? undefined : bodyPre(indentJson(text, cut));
  return markup`<p class="note body-note">Body, ${notes.join(', ')}</p>${pre}`;
}

function bodyPre(text: string): Markup {
  return markup`<pre class="long" tabindex="0" role="group" aria-label="Body">${lines(text)}</pre>`;
}
