import type { Fault } from '../../variation.ts';

export const messageTextFaults: readonly Fault[] = [
  {
    name: 'firewall-reads-messages',
    breaks: 'messages.text',
    sentence: 'A firewall takes a message with SQL or a script in it for an attack, and answers 403.',
    alter: () => ({ gatewayStatus: ({ body }) => (/drop table|<script/i.test(body) ? 403 : undefined) }),
  },
  {
    name: 'text-trimmed',
    breaks: 'messages.text',
    sentence: 'Spaces at both ends of a message are cut off.',
    alter: () => ({ messageStored: (text) => text.trim() || text }),
  },
  {
    name: 'text-as-number',
    breaks: 'messages.text',
    sentence: 'A text that reads as a number is kept as one, in a column without a type.',
    alter: () => ({
      messageStored: (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : `${Number(text)}`),
    }),
  },
  {
    name: 'text-is-an-url',
    breaks: 'messages.text',
    sentence: 'The escapes of a URL are undone in a text, where all of it can be read so.',
    alter: () => ({
      messageStored: (text) => {
        try {
          return decodeURIComponent(text) || text;
        } catch {
          return text;
        }
      },
    }),
  },
  {
    name: 'zero-is-empty',
    breaks: 'messages.text',
    sentence: 'Whether there is a message is asked of a language to which the text 0 is none.',
    alter: (rules) => ({
      charactersAccepted: (text, request) => text !== '0' && rules.charactersAccepted(text, request),
    }),
  },
  {
    name: 'text-command-cut',
    breaks: 'messages.text',
    sentence: 'A slash at the beginning is taken for that of a command, and cut off.',
    alter: () => ({ messageStored: (text) => text.replace(/^\/(?=.)/su, '') }),
  },
  {
    name: 'text-normalised',
    breaks: 'messages.text',
    sentence: 'The text is brought into Unicode normal form C.',
    alter: () => ({ messageStored: (text) => text.normalize('NFC') }),
  },
  {
    name: 'text-escaped',
    breaks: 'messages.text',
    sentence: 'Markup in the text is escaped when it is stored.',
    alter: () => ({
      messageStored: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    }),
  },
  {
    name: 'text-without-astral',
    breaks: 'messages.text',
    sentence: 'Characters of four bytes become question marks, in a utf8mb3 column.',
    alter: () => ({ messageStored: (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?') }),
  },
  {
    name: 'text-without-tags',
    breaks: 'messages.text',
    sentence: 'Tag characters are dropped as invisible: the flag of Scotland becomes a black one.',
    alter: () => ({ messageStored: (text) => text.replaceAll(/[\u{e0020}-\u{e007f}]/gu, '') || text }),
  },
  {
    name: 'text-faces',
    breaks: 'messages.text',
    sentence: 'A chat client drew faces for colons and brackets, and the service has done so since.',
    alter: () => ({ messageStored: (text) => text.replaceAll(':)', '🙂') }),
  },
  {
    name: 'text-blank-lines',
    breaks: 'messages.text',
    sentence: 'More than one blank line becomes one.',
    alter: () => ({ messageStored: (text) => text.replaceAll(/\n{3,}/g, '\n\n') }),
  },
  {
    name: 'text-made-pretty',
    breaks: 'messages.text',
    sentence: 'Three dots become an ellipsis.',
    alter: () => ({ messageStored: (text) => text.replaceAll('...', '…') }),
  },
  {
    name: 'text-line-breaks',
    breaks: 'messages.text',
    sentence: 'A carriage return before a line feed is dropped.',
    alter: () => ({ messageStored: (text) => text.replaceAll('\r\n', '\n') }),
  },
  {
    name: 'text-without-nul',
    breaks: 'messages.text',
    sentence: 'NUL is dropped, because the database cannot hold it.',
    idle: { 'odd-characters': ['refused', 'without-nul'] },
    alter: () => ({ messageStored: (text) => text.replaceAll('\0', '') || text }),
  },
  {
    name: 'text-without-controls',
    breaks: 'messages.text',
    sentence: 'Control characters are dropped, but for tabs and line breaks.',
    idle: { 'odd-characters': ['refused'] },
    alter: () => ({ messageStored: (text) => text.replaceAll(/[^\P{Cc}\t\r\n\0]/gu, '') || text }),
  },
  {
    name: 'text-as-replacement',
    breaks: 'messages.text',
    sentence: 'The text is put in a template as a replacement, in which $$ and $& have a meaning.',
    alter: () => ({ messageStored: (text) => 'x'.replace('x', text) || text }),
  },
  {
    name: 'text-cut-in-units',
    breaks: 'messages.text',
    sentence: 'A text is cut to 10000 UTF-16 units when it is stored, although characters are counted before.',
    idle: { 'message-characters': ['units'] },
    alter: () => ({ messageStored: (text) => text.slice(0, 10_000) }),
  },
  {
    name: 'text-cut-at-5000',
    breaks: 'messages.text',
    sentence: 'A message is cut to 5000 characters when it is stored.',
    alter: () => ({ messageStored: (text) => text.slice(0, 5000) }),
  },
  {
    name: 'text-is-a-format',
    breaks: 'messages.text',
    sentence: 'A text is taken for a format, and one with a lonely % ends in an exception.',
    alter: (rules) => ({
      charactersAccepted: (text, request) => !/%(?![sd%])/.test(text) && rules.charactersAccepted(text, request),
      refusalStatus: (kind, request) =>
        kind === 'invalidMessage' && request.body.includes('%') ? 500 : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'leading-mark-dropped',
    breaks: 'messages.text',
    sentence: 'A byte order mark at the beginning of a text is taken for one of a file, and dropped.',
    alter: () => ({ messageStored: (text) => text.replace(/^\ufeff/, '') || text }),
  },
];
