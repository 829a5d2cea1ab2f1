import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { lendChat, settle } from './conversation.ts';
import { sendWhenFree } from './sending.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { shared } from '../../engine/fixture.ts';
import { hasMoreCharacters } from '../../schemas/characters.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';

/** The most characters that a message may have. */
export const maxCharacters = 10_000;

/** A message of the greatest length, and its answer. */
type LongMessage = {
  readonly what: string;
  readonly text: string;
  readonly answer: Answer;
  /** Whether it may be refused, because it is too long if UTF-16 units are counted. */
  readonly mayBeRefused: boolean;
};

type Filled = {
  readonly what: string;
  readonly filler: string;
  readonly length: number;
  /** Some clients escape all characters that are not ASCII. */
  readonly isEscaped?: boolean;
};

/**
 * From the longest body to the shortest: if one is accepted, nothing shows that the next ones are not. The syllable is one character
 * and one UTF-16 unit, but three characters in Unicode's decomposed form.
 */
const inOnePlane: readonly Filled[] = [
  {
    what: '10000 characters of three bytes, each an escape of six',
    filler: '각',
    length: maxCharacters,
    isEscaped: true,
  },
  { what: '10000 characters of two bytes', filler: 'é', length: maxCharacters },
  { what: '10000 characters', filler: 'a', length: maxCharacters },
];

/**
 * Each character but the first and the last counts as two if UTF-16 units are counted. Because of the first one, the others begin at
 * odd places, and code that cuts a text into parts of an even length cuts characters in two.
 */
const beyond: readonly Filled[] = [
  { what: '10000 characters, almost all beyond the basic plane', filler: '😀', length: maxCharacters },
  { what: '5001 characters, almost all beyond the basic plane', filler: '😀', length: maxCharacters / 2 + 1 },
];

/**
 * The greatest messages, each to an idle chat; sent once in a run. Those beyond the basic plane have no `wait`, because other code may
 * answer then.
 */
export const givenLongMessages = shared((api: Api): Promise<readonly LongMessage[]> =>
  lendChat(api, async (chat) => {
    const sent: LongMessage[] = [];
    for (const ladder of [inOnePlane, beyond]) {
      for (const filled of ladder) {
        const long = await sendLong(
          api,
          chat,
          filled,
          ladder === inOnePlane ? quickPromptWait(api.session) : undefined,
        );
        sent.push(long);
        if (isSuccess(long.answer)) break;
      }
    }
    return sent;
  }),
);

async function sendLong(
  api: Api,
  chat: Chat,
  { what, filler, length, isEscaped }: Filled,
  wait: number | undefined,
): Promise<LongMessage> {
  const text = longText(api, filler, length);
  const written = isEscaped === true ? { body: escaped({ message: text }, filler) } : {};
  const answer = await sendWhenFree(api, chat, { message: text, ...written, wait });
  if (answer.status === 202) await settle(api, chat);
  return { what, text, answer, mayBeRefused: text.length > maxCharacters };
}

/**
 * The quick prompt, marks that HTML escapes, and fillers, `length` characters in all, so that the answer is as quick as possible. A
 * filler beyond the basic plane stands between two letters.
 */
export function longText(api: Api, filler: string, length: number): string {
  if (filler.length > 1) return `a${filler.repeat(length - 2)}a`;
  const prompt = `${api.session.target.assistant.quickPrompt}\n<&">\n`;
  // Every count of the characters of the text must be the same; a long prompt would leave no room.
  const isBasic = hasMoreCharacters(prompt, prompt.length - 1);
  const head = isBasic && prompt.length <= Math.min(1000, length) ? prompt : '';
  return head + filler.repeat(length - head.length);
}

/** JSON in ASCII alone. The filler is replaced first, because it is most of the text. */
function escaped(body: unknown, filler: string): string {
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(body)
    .replaceAll(filler, escape(filler))
    .replaceAll(/[\u0080-\uffff]/g, escape);
}
