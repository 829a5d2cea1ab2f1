import fc from 'fast-check';
import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { check, type Check } from '../../engine/check.ts';
import { giveBack, givenChat } from '../../stage/chats/conversation.ts';
import { promptedIn, sendWhenFree } from '../../stage/chats/sending.ts';
import { stringAt } from '../../core/json.ts';
import { givenLongMessages } from '../../stage/chats/long-messages.ts';
import { givenAccepted } from '../../stage/chats/message-sample.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { forAll } from '../../engine/properties.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import { sameText } from '../../promises/messages.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { givenOddMessages } from '../shared/odd-characters.ts';
import { givenLast } from '../../stage/chats/thread.ts';
import { acceptedUnusual, oddBodies, valuesOfText } from './unusual-messages.ts';

/** Texts that careless handling changes; the first one is sent at the beginning of a message, the last at its end. */
const delicate = [
  '\n \t a line feed, spaces and a tab in front',
  'Tab\there, two  spaces, no-break\u00a0space, ideographic\u3000space',
  'line\nfeed, carriage\r\nreturn, two\n\nlines, five\n\n\n\n\nlines, separators \u2028 and \u2029',
  'decomposed e\u0301 a\u030a n\u0303, marks in disorder a\u0307\u0323',
  'composed é å ñ, Kelvin \u212a, Ångström \u212b',
  'jamo \u1112\u1161\u11ab, 한글, かな, カナ, ｶﾅ, fullwidth ＡＢＣ, ligature ﬁ',
  'family 👩‍👩‍👧‍👦, flags 🇪🇺 🏴󠁧󠁢󠁳󠁣󠁴󠁿, skin 👍🏽, heart ❤️, keycap 1️⃣',
  'שלום عليكم \u200f(right to left)\u200e \u2067(isolated)\u2069 \u202e(turned)\u202c हिन्दी ไทย ქართული',
  'beyond the basic plane 𝒳 𠮷 𐍈 \u{1f9ff}, private use \ue000',
  'zero width \u200b space, joiner \u200d, soft\u00adhyphen, mark \ufeff in the middle, non-joiner می\u200cخواهم, word\u2060joiner',
  'fillers \u3164 \u034f, a vowel separator \u180e, x² ½ ①, dates 2026-01-02 and 01/02/2026',
  'İstanbul ıI, straße STRASSE, ΣΑΣ σας',
  '<b>bold</b> &amp; &lt; &#65; &nbsp; & < > <script>alert(1)</script> <!-- -->',
  `"double" 'single' \`back\` ""twice"" ''twice'' “curly” «guillemets»`,
  'back\\slash \\n \\u0041 \\\\ c:\\temp \\/',
  '100% %41 %s %20 %% a+b ?x=1&y=2 #hash',
  '${var} {{var}} {0} $1 $$ $& @user /command',
  "'; DROP TABLE messages; -- 1 OR 1=1 ../../etc/passwd",
  '\n# heading\n- item\n> quote\n**bold** _it_ [link](http://Example.com:80/A/./B%2f?Q=1#Top) HTTPS://example.org someone@example.com ... ```code```',
  '0012.50 1e3 12345678901234567890 true null undefined NaN +49 30 12345678, 4111111111111111',
  'faces :) ;-( :D <3 :smile: :+1:, signs (c) (tm) -- 1/2 ->',
  'a word at the end, two spaces and a line feed  \n',
] as const;

/** A weight so large that a text is never left out at random, only by shrinking. */
const always = 1_000_000_000;

/**
 * All delicate texts and a random one in one message; it shrinks to the text that comes back changed. Made only for who sends it,
 * because all graphemes take longer to gather than to load this module.
 */
function messageText(): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.tuple(...delicate.map((text) => fc.option(fc.constant(text), { nil: '', freq: always }))),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
    )
    .map(([texts, drawn]) => [...texts.slice(0, -1), `[${drawn}]`, ...texts.slice(-1)].join(''));
}

/** Section 4.2: the text of the message. */
export const messageTexts: readonly Check[] = [
  check('messages.text', { uses: ['messages'] }, async (api) => {
    const chat = await givenChat(api);
    // Answers with and without wait may be produced by different code. TRIM of a database removes nothing but spaces.
    const ways = [
      { held: {}, edge: '' },
      { held: { wait: quickPromptWait(api.session), chunks: 3 }, edge: '  ' },
    ];
    const texts = messageText();
    for (const { held, edge } of ways) {
      const edged = texts.map((text) => `${edge}${text}${edge}`);
      await forAll(api, edged, { runs: 1, requests: 80 }, async (message) => {
        const answer = await sendWhenFree(api, chat, { message, ...held });
        const isRefused = answer.status >= 400 && answer.status !== 409;
        if (isRefused && 'chunks' in held) return mustNotBeTheChunks(api, chat, message, answer);
        if (isRefused) await mustNotBeTheText(api, chat, message, answer);
        mustShowText(answer);
      });
    }
    giveBack(api, chat);
    for (const { message, answer } of await givenOddMessages(api))
      if (isSuccess(answer) && message.isWellFormed()) mustShowText(answer);
    for (const { answer } of await givenLongMessages(api)) if (isSuccess(answer)) mustShowText(answer);
  }),

  check('messages.text', { uses: ['messages'], variant: 'values' }, async (api) => {
    const unusual = (await acceptedUnusual(api, 'a value')) ?? [];
    const areShown = unusual.map(({ answer }) => mustKeep(sameText, answer, answer));
    if (areShown.length > 0 && areShown.every(Boolean)) return;
    const chat = await givenChat(api);
    const { answer: twin } = await givenLast(api, chat);
    if (stringAt(twin.json, 'data', 'userMessage', 'text') === undefined) throw new Blocked(showsNoText);
    for (const odd of [...valuesOfText.map((message) => ({ message })), ...oddBodies]) {
      const { message } = odd;
      const answer = await sendWhenFree(api, chat, { ...odd, wait: quickPromptWait(api.session) });
      if (answer.status === 409) throw new Blocked(`the chat is busy: ${describe(message)} was answered 409`);
      must(isSuccess(answer), `2xx for the text ${describe(message)}`, summary(answer), twin, answer);
      must(mustKeep(sameText, answer, answer), 'userMessage.text, as for other messages', 'no text', twin, answer);
    }
  }),

  // A cached row or a batch may show the text of another message, so every prompt of the run is judged.
  check('messages.text', { uses: ['messages'], phase: 'last', variant: 'at-last', extended: true }, async (api) => {
    await givenAccepted(api);
    const areShown = promptedIn(api.session).map((answer) => mustKeep(sameText, answer, answer));
    if (!areShown.includes(true)) throw new Blocked(showsNoText);
  }),
];

const showsNoText = 'userMessage shows no text, and may do so: it is not shown as required';

/** A deployment that refuses a text twice but accepts another in between judges its content: a filter, or an unescaped query. */
async function mustNotBeTheText(api: Api, chat: Chat, message: string, refused: Answer): Promise<void> {
  const wait = quickPromptWait(api.session);
  const twin = await sendWhenFree(api, chat, { message: api.session.target.assistant.quickPrompt, wait });
  const again = await sendWhenFree(api, chat, { message, wait });
  const isAccident = isSuccess(again) || again.status === 409 || again.status === 503;
  const expected = '2xx for a text of at most 10000 characters';
  must(!isSuccess(twin) || isAccident, expected, summary(refused), refused, twin, again);
}

/** A server may demand the length of a body, or do without transfer codings: then it refuses one chunk as well. */
const withoutChunks: readonly number[] = [411, 501];

/** A deployment that accepts the text as a whole, and in one chunk, refuses it in several; or it finds no body in chunks. */
async function mustNotBeTheChunks(api: Api, chat: Chat, message: string, refused: Answer): Promise<void> {
  const whole = await sendWhenFree(api, chat, { message, wait: quickPromptWait(api.session) });
  if (!isSuccess(whole)) return mustNotBeTheText(api, chat, message, whole);
  mustShowText(whole);
  if (withoutChunks.includes(refused.status)) return;
  const alone = await sendWhenFree(api, chat, { message, chunks: 1, wait: quickPromptWait(api.session) });
  must(!isSuccess(alone), '2xx for a body in several chunks, as for one chunk', summary(refused), refused, alone);
  const empty = await sendWhenFree(api, chat, { body: '' });
  const isReadAsEmpty = summary(refused) === summary(empty) && detailOf(refused) === detailOf(empty);
  must(!isReadAsEmpty, '2xx, or another error than for an empty body', summary(refused), refused, empty, whole);
}

function detailOf({ json }: Answer): string | undefined {
  return stringAt(json, 'error', 'detail');
}

function mustShowText(answer: Answer): void {
  if (!isSuccess(answer)) throw new Blocked(`a message with text in many scripts was answered ${answer.status}`);
  if (!mustKeep(sameText, answer, answer)) throw new Blocked(showsNoText);
}
