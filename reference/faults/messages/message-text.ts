import type { Fault } from '../../variation.ts';
import { refusedWith } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { keyOf } from '../shared/requests.ts';

/** Texts are stored differently. One that would be empty is kept. */
export function stored(change: (text: string) => string): Fault['alter'] {
  return () => ({ messageText: (text) => change(text) || text });
}

function asNumber(text: string): string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : `${Number(text)}`;
}

function rewritten(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : text;
  } catch {
    return text;
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const messageTextFaults = faultsOf({
  'messages.text': {
    'firewall-reads-messages': {
      sentence: 'A firewall treats a message with SQL or a script as an attack and answers 403.',
      alter: () => ({ gatewayStatus: ({ body }) => (/drop table|<script/i.test(body) ? 403 : undefined) }),
    },
    'text-trimmed': {
      sentence: 'Spaces at both ends of a text are removed.',
      alter: stored((text) => text.trim()),
    },
    'text-trimmed-without-key': {
      sentence: 'A message without a key is stored by older code, which removes spaces at both ends of its text.',
      alter: (rules) => ({
        messageText: (text, request) => (keyOf(request, rules) === undefined ? text.trim() : text),
      }),
    },
    'text-trimmed-by-database': {
      sentence: 'TRIM removes spaces at both ends of a text, and no line feeds.',
      alter: stored((text) => text.replaceAll(/^ +| +$/gu, '')),
    },
    'text-without-lines-in-front': {
      sentence: 'Line feeds in front of a text are removed.',
      alter: stored((text) => text.replace(/^\n+/u, '')),
    },
    'text-without-addresses': {
      sentence: 'E-mail addresses in a text are masked for privacy.',
      alter: stored((text) => text.replaceAll(/[\w.]+@[\w.]+\.\w+/g, '[email]')),
    },
    'links-made-uniform': {
      sentence:
        'A link in a text is parsed and written again, so its host is in lower case and its usual port is gone.',
      alter: stored((text) =>
        text.replaceAll(/https?:\/\/[^\s)]+/g, (link) => (URL.canParse(link) ? new URL(link).href : link)),
      ),
    },
    'text-without-long-numbers': {
      sentence: 'Numbers of nine digits or more in a text are masked, because they may be those of accounts.',
      alter: stored((text) => text.replaceAll(/\d{9,}/g, '#########')),
    },
    'text-through-a-format': {
      sentence: 'A text goes through a format string, so %% becomes %.',
      alter: stored((text) => text.replaceAll('%%', '%')),
    },
    'text-with-quotes-of-a-table': {
      sentence: 'A text is read as a field of a table, so two quotation marks become one.',
      alter: stored((text) => text.replaceAll('""', '"')),
    },
    'text-as-number': {
      sentence: 'A text that can be read as a number is stored as a number.',
      alter: stored(asNumber),
    },
    'text-of-digits-is-number': {
      sentence: 'A text of nothing but digits is stored as a number, without the zeros in front.',
      alter: stored((text) => (/^\d+$/.test(text) ? String(Number(text)) : text)),
    },
    'text-rewritten-as-json': {
      sentence: 'A text that is a JSON object or array is parsed and written again, so its spaces are lost.',
      alter: stored(rewritten),
    },
    'text-is-an-url': {
      sentence: 'Percent escapes in a text are decoded as in a URL.',
      alter: stored(unescaped),
    },
    'zero-is-empty': {
      sentence: 'The text "0" is treated as an empty message.',
      alter: (rules) => ({
        charactersAccepted: (text, request) => text !== '0' && rules.charactersAccepted(text, request),
      }),
    },
    'text-command-cut': {
      sentence: 'A slash at the beginning of a text is treated as a command prefix and removed.',
      alter: stored((text) => text.replace(/^\/(?=.)/su, '')),
    },
    'text-normalised': {
      sentence: 'A text is converted to Unicode normal form C.',
      alter: stored((text) => text.normalize('NFC')),
    },
    'text-escaped': {
      sentence: 'Markup in a text is escaped when it is stored.',
      alter: stored((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
    },
    'text-without-astral': {
      sentence: 'Characters of four bytes become question marks in a utf8mb3 column.',
      alter: stored((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
    },
    'text-without-tags': {
      sentence: 'Tag characters are removed as invisible, so the flag of Scotland becomes a black flag.',
      alter: stored((text) => text.replaceAll(/[\u{e0020}-\u{e007f}]/gu, '')),
    },
    'text-faces': {
      sentence: 'The characters ":)" are replaced by an emoji.',
      alter: stored((text) => text.replaceAll(':)', '🙂')),
    },
    'text-blank-lines': {
      sentence: 'Several blank lines become one.',
      alter: stored((text) => text.replaceAll(/\n{3,}/g, '\n\n')),
    },
    'text-made-pretty': {
      sentence: 'Three dots become an ellipsis.',
      alter: stored((text) => text.replaceAll('...', '…')),
    },
    'text-line-breaks': {
      sentence: 'A carriage return before a line feed is removed.',
      alter: stored((text) => text.replaceAll('\r\n', '\n')),
    },
    'text-without-nul': {
      sentence: 'NUL characters are removed, because the database cannot store them.',
      idle: { 'odd-characters': ['refused', 'without-nul'] },
      alter: stored((text) => text.replaceAll('\0', '')),
    },
    'text-without-controls': {
      sentence: 'Control characters are removed, except for tabs and line breaks.',
      idle: { 'odd-characters': ['refused'] },
      alter: stored((text) => text.replaceAll(/[^\P{Cc}\t\r\n\0]/gu, '')),
    },
    'text-as-replacement': {
      sentence: 'A text is inserted in a template as a replacement pattern, in which $$ and $& have a meaning.',
      alter: stored((text) => 'x'.replace('x', text)),
    },
    'text-cut-in-units': {
      sentence: 'A text is cut to 10000 UTF-16 units when it is stored, although its length is counted in characters.',
      idle: { 'message-characters': ['units'] },
      alter: stored((text) => text.slice(0, 10_000)),
    },
    'text-in-chunks': {
      sentence:
        'A long text is stored in parts of 1024 UTF-16 units, and a character that is cut becomes two replacements.',
      alter: stored((text) => (text.match(/[^]{1,1024}/g) ?? []).map((part) => part.toWellFormed()).join('')),
    },
    'text-without-invisible-letters': {
      sentence: 'Invisible marks and joiners between letters are removed.',
      alter: stored((text) => text.replaceAll(/\u200c|\u2060|\u034f|\u180e/g, '')),
    },
    'text-ends-at-nul': {
      sentence: 'NUL characters at the end of a text are cut off, as of a padded column.',
      idle: { 'odd-characters': ['refused', 'without-nul'] },
      alter: stored((text) => text.replace(/\0+$/, '')),
    },
    'text-cut-at-5000': {
      sentence: 'A text is cut to 5000 characters when it is stored.',
      alter: stored((text) => text.slice(0, 5000)),
    },
    'text-is-a-format': {
      sentence: 'A text is used as a format string, so a single % causes an exception.',
      alter: (rules) => ({
        charactersAccepted: (text, request) => !/%(?![sd%])/.test(text) && rules.charactersAccepted(text, request),
        ...refusedWith(500, 'invalidMessage', ({ body }) => body.includes('%'))(rules),
      }),
    },
    'leading-mark-dropped': {
      sentence: 'A byte order mark at the beginning of a text is removed.',
      alter: stored((text) => text.replace(/^\ufeff/, '')),
    },
  },
});
