import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';
import { stored } from './message-text.ts';

/** Encodes a text in pieces of that many UTF-16 units, each on its own, which breaks pairs of surrogates at their borders. */
function inPieces(size: number): (text: string) => string {
  return (text) =>
    Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      text.slice(index * size, (index + 1) * size).toWellFormed(),
    ).join('');
}

/** The text where each byte was a chunk. */
function decodedApart(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/gu, (character) => '\ufffd'.repeat(Buffer.byteLength(character)));
}

/** Changes of a text as public issue trackers describe them. */
export const textInTransitFaults = faultsOf({
  'messages.text': {
    'later-chunks-dropped': {
      sentence: 'Of a body in several chunks only the first one is read.',
      alter: () => ({
        jsonText: (body, { chunks }) => (chunks > 0 ? body.slice(0, Math.ceil(body.length / chunks)) : body),
      }),
    },
    'chunks-decoded-apart': {
      sentence: 'The chunks of a body are decoded one by one, so a character between two of them is lost.',
      alter: () => ({ jsonText: (body, { chunks }) => (chunks > 0 ? decodedApart(body) : body) }),
    },
    'json-over-lines-refused': {
      sentence: 'A body counts as JSON only if it begins with a brace, so white space before it is malformed.',
      alter: () => ({ jsonText: (body, request) => (on('sendMessage')(request) ? body.replace(/^\s+/, '-') : body) }),
    },
    'json-surrogates-apart': {
      sentence: 'Escapes in JSON are decoded one by one, so an escaped pair of surrogates is lost.',
      alter: () => ({ jsonText: (body) => body.replaceAll(/\\u[dD][89a-fA-F][\da-fA-F]{2}/g, '\ufffd') }),
    },
    'json-slash-kept-escaped': {
      sentence: 'The parser of JSON knows no escaped slash, and keeps its backslash.',
      alter: () => ({ jsonText: (body) => body.replaceAll(String.raw`\/`, String.raw`\\/`) }),
    },
    'text-compatible': {
      sentence: 'A text is converted to Unicode normal form KC for the search index, and shown from there.',
      alter: stored((text) => text.normalize('NFKC')),
    },
    'text-decomposed': {
      sentence: 'A text is converted to Unicode normal form D, as by a file system.',
      alter: stored((text) => text.normalize('NFD')),
    },
    'text-without-selectors': {
      sentence: 'Variation selectors are removed, so a red heart becomes a black one.',
      alter: stored((text) => text.replaceAll('\ufe0f', '')),
    },
    'text-without-joiners': {
      sentence: 'Zero-width joiners are removed, so a family of emoji becomes several people.',
      alter: stored((text) => text.replaceAll('\u200d', '')),
    },
    'text-without-embedding': {
      sentence:
        'Controls that embed, override or isolate a direction are removed, because they can disguise source code.',
      alter: stored((text) => text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')),
    },
    'text-without-direction': {
      sentence: 'Marks of writing direction are removed for safety.',
      alter: stored((text) => text.replaceAll(/[\u200e\u200f]/g, '')),
    },
    'text-plain-spaces': {
      sentence: 'No-break spaces become plain spaces.',
      alter: stored((text) => text.replaceAll('\u00a0', ' ')),
    },
    'text-tabs-expanded': {
      sentence: 'Tabs become spaces.',
      alter: stored((text) => text.replaceAll('\t', '    ')),
    },
    'text-unescaped': {
      sentence: 'Escapes such as \\n in a text are read once more, after the JSON.',
      alter: stored((text) => text.replaceAll('\\n', '\n')),
    },
    'text-entities-read': {
      sentence: 'Entities of HTML in a text are replaced by their characters.',
      alter: stored((text) => text.replaceAll('&amp;', '&').replaceAll('&lt;', '<')),
    },
    'text-variables-filled': {
      sentence: 'Names in double braces are replaced, and unknown ones become empty.',
      alter: stored((text) => text.replaceAll(/\{\{\w+\}\}/g, '')),
    },
    'text-last-line-break-cut': {
      sentence: 'A line feed at the end of a text is removed.',
      alter: stored((text) => text.replace(/\n$/, '')),
    },
    'text-broken-at-8191': {
      sentence: 'A text is encoded in pieces of 8191 UTF-16 units, which breaks an emoji at a border.',
      idle: { 'message-characters': ['units'] },
      alter: stored(inPieces(8191)),
    },
    'text-quotes-curled': {
      sentence: 'Straight quotation marks become typographic ones.',
      alter: stored((text) => text.replaceAll(/"([^"]*)"/g, '“$1”')),
    },
    'text-upper-case-dotless': {
      sentence: 'A dotted capital I becomes a plain one, as the locale of the server has it.',
      alter: stored((text) => text.replaceAll('İ', 'I')),
    },
    'text-numbers-hidden': {
      sentence: 'A filter for personal data hides numbers as long as those of credit cards.',
      alter: stored((text) => text.replaceAll(/\d{13,19}/g, '[number]')),
    },
    'text-paths-refused': {
      sentence: 'A firewall takes ../ in a text for an attack and refuses the message.',
      alter: () => ({ charactersAccepted: (text) => !text.includes('../') }),
    },
  },
});
