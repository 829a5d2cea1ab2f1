import type { Fault } from '../../variation.ts';
import { refusedWith } from '../shared/alterations.ts';

/** Texts are stored differently. One that would be empty is kept. */
function stored(change: (text: string) => string): Fault['alter'] {
  return () => ({ messageText: (text) => change(text) || text });
}

function asNumber(text: string): string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : `${Number(text)}`;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const messageTextFaults: readonly Fault[] = [
  {
    name: 'firewall-reads-messages',
    breaks: 'messages.text',
    sentence: 'A firewall treats a message with SQL or a script as an attack and answers 403.',
    alter: () => ({ gatewayStatus: ({ body }) => (/drop table|<script/i.test(body) ? 403 : undefined) }),
  },
  {
    name: 'text-trimmed',
    breaks: 'messages.text',
    sentence: 'Spaces at both ends of a text are removed.',
    alter: stored((text) => text.trim()),
  },
  {
    name: 'text-as-number',
    breaks: 'messages.text',
    sentence: 'A text that can be read as a number is stored as a number.',
    alter: stored(asNumber),
  },
  {
    name: 'text-is-an-url',
    breaks: 'messages.text',
    sentence: 'Percent escapes in a text are decoded as in a URL.',
    alter: stored(unescaped),
  },
  {
    name: 'zero-is-empty',
    breaks: 'messages.text',
    sentence: 'The text "0" is treated as an empty message.',
    alter: (rules) => ({
      charactersAccepted: (text, request) => text !== '0' && rules.charactersAccepted(text, request),
    }),
  },
  {
    name: 'text-command-cut',
    breaks: 'messages.text',
    sentence: 'A slash at the beginning of a text is treated as a command prefix and removed.',
    alter: stored((text) => text.replace(/^\/(?=.)/su, '')),
  },
  {
    name: 'text-normalised',
    breaks: 'messages.text',
    sentence: 'A text is converted to Unicode normal form C.',
    alter: stored((text) => text.normalize('NFC')),
  },
  {
    name: 'text-escaped',
    breaks: 'messages.text',
    sentence: 'Markup in a text is escaped when it is stored.',
    alter: stored((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
  },
  {
    name: 'text-without-astral',
    breaks: 'messages.text',
    sentence: 'Characters of four bytes become question marks in a utf8mb3 column.',
    alter: stored((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
  },
  {
    name: 'text-without-tags',
    breaks: 'messages.text',
    sentence: 'Tag characters are removed as invisible, so the flag of Scotland becomes a black flag.',
    alter: stored((text) => text.replaceAll(/[\u{e0020}-\u{e007f}]/gu, '')),
  },
  {
    name: 'text-faces',
    breaks: 'messages.text',
    sentence: 'The characters ":)" are replaced by an emoji.',
    alter: stored((text) => text.replaceAll(':)', '🙂')),
  },
  {
    name: 'text-blank-lines',
    breaks: 'messages.text',
    sentence: 'Several blank lines become one.',
    alter: stored((text) => text.replaceAll(/\n{3,}/g, '\n\n')),
  },
  {
    name: 'text-made-pretty',
    breaks: 'messages.text',
    sentence: 'Three dots become an ellipsis.',
    alter: stored((text) => text.replaceAll('...', '…')),
  },
  {
    name: 'text-line-breaks',
    breaks: 'messages.text',
    sentence: 'A carriage return before a line feed is removed.',
    alter: stored((text) => text.replaceAll('\r\n', '\n')),
  },
  {
    name: 'text-without-nul',
    breaks: 'messages.text',
    sentence: 'NUL characters are removed, because the database cannot store them.',
    idle: { 'odd-characters': ['refused', 'without-nul'] },
    alter: stored((text) => text.replaceAll('\0', '')),
  },
  {
    name: 'text-without-controls',
    breaks: 'messages.text',
    sentence: 'Control characters are removed, except for tabs and line breaks.',
    idle: { 'odd-characters': ['refused'] },
    alter: stored((text) => text.replaceAll(/[^\P{Cc}\t\r\n\0]/gu, '')),
  },
  {
    name: 'text-as-replacement',
    breaks: 'messages.text',
    sentence: 'A text is inserted in a template as a replacement pattern, in which $$ and $& have a meaning.',
    alter: stored((text) => 'x'.replace('x', text)),
  },
  {
    name: 'text-cut-in-units',
    breaks: 'messages.text',
    sentence: 'A text is cut to 10000 UTF-16 units when it is stored, although its length is counted in characters.',
    idle: { 'message-characters': ['units'] },
    alter: stored((text) => text.slice(0, 10_000)),
  },
  {
    name: 'text-cut-at-5000',
    breaks: 'messages.text',
    sentence: 'A text is cut to 5000 characters when it is stored.',
    alter: stored((text) => text.slice(0, 5000)),
  },
  {
    name: 'text-is-a-format',
    breaks: 'messages.text',
    sentence: 'A text is used as a format string, so a single % causes an exception.',
    alter: (rules) => ({
      charactersAccepted: (text, request) => !/%(?![sd%])/.test(text) && rules.charactersAccepted(text, request),
      ...refusedWith(500, 'invalidMessage', ({ body }) => body.includes('%'))(rules),
    }),
  },
  {
    name: 'leading-mark-dropped',
    breaks: 'messages.text',
    sentence: 'A byte order mark at the beginning of a text is removed.',
    alter: stored((text) => text.replace(/^\ufeff/, '')),
  },
];
