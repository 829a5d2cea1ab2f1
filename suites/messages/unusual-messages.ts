import fc from 'fast-check';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { hash } from '../../core/hash.ts';
import { TransportError } from '../../core/http.ts';
import { type Api, as } from '../../engine/api.ts';
import { eachAtOnce, type Gate } from '../../engine/at-once.ts';
import { shared } from '../../engine/fixture.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { isHeldInFull, mayBeHeldInFull, quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { giveBack, givenGroup, isShownFinished, lendChat } from '../../stage/chats/conversation.ts';
import { keysWork } from '../../stage/chats/key-header.ts';
import { longText, maxCharacters } from '../../stage/chats/long-messages.ts';
import { shortHeldWait } from './short-wait.ts';
import { type Draft, send, sendAgain, sendWhenFree, unkeyed, writtenOf } from '../../stage/chats/sending.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { unknownPlace } from '../shared/place.ts';
import { drawnKey, longestKey, plainKey, shapedKey, shortKey } from '../idempotency/key-variants.ts';

/** How a valid message can be unusual. */
type Way =
  | 'one character'
  | 'a value'
  | 'a length'
  | 'wait=1'
  | 'wait=300'
  /** All of them have a `wait`. */
  | 'any wait'
  | 'the longest key'
  | 'a key'
  /** It came with refused requests before. */
  | 'a refused key'
  | 'no key'
  | 'a content type';

/** The ways of messages that are repeated. */
const repeatedWays: readonly Way[] = ['a key', 'the longest key', 'a refused key'];

/** `longWait` is a `wait` of minutes: it takes the place of the other one unless requests seem to be held in full. */
type Plan = Draft & { readonly message: string; readonly ways: readonly Way[]; readonly longWait?: number };

/** A message and the answer to it, which is a success. */
export type Unusual = {
  readonly chat: Chat;
  readonly key: string;
  readonly text: string;
  readonly answer: Answer;
  /** The answer to its repetition, if its key is unusual. */
  readonly again: Answer | undefined;
};

/** Valid content type, written in another way. White space before a parameter is optional (RFC 9110). */
export const oddContentType = 'Application/JSON;charset=UTF-8';

/** Texts of one character; the first may be trimmed and the second may be read as nothing. */
export const oneCharacter = [' ', '0', '🙂'] as const;

/** JSON that is written in an unusual way: over several lines, and with escapes for slashes and for all that is not ASCII. */
function oddJson(message: string): string {
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const json = `\n${JSON.stringify({ message }, undefined, 2)}\n`;
  return json.replaceAll('/', String.raw`\/`).replaceAll(/[\u0080-\uffff]/g, escape);
}

/** Bodies that a careless parser refuses or misreads. Without its escapes, the second text may be read as a command. */
export const oddBodies = [
  { message: '🙂', body: oddJson('🙂') },
  { message: '/a%20b', body: oddJson('/a%20b') },
] as const;

/** Texts that a careless parser reads as another value if nothing else is in the message. */
export const valuesOfText = ['0', '007', 'null', '{"a":1,  "<b>":2}'] as const;

/** The longest wait that is held in full, in seconds, where that is known to happen. */
export const mostFullSeconds = 4;

/** Code that keeps the seconds in one byte takes this `wait` for 0. */
const beyondByte = 256;

const half = maxCharacters / 2;

/** A short and a long text, by their number of characters. */
export const twoLengths = fc.tuple(
  fc.integer({ min: 2, max: half }),
  fc.integer({ min: half + 1, max: maxCharacters - 1 }),
);

/** A `wait`, in seconds: not much longer than a response if requests are held for their whole `wait`. */
export function drawnWait(api: Api): fc.Arbitrary<number> {
  return fc.integer({ min: 2, max: isHeldInFull(api.session) ? mostFullSeconds : 30 });
}

/**
 * The accepted messages that are unusual in that way. Each is unusual in several ways, because messages cost money. Undefined if one
 * was refused, perhaps for another of its ways: the check then sends messages that are unusual in this way alone. Leases chats, so
 * call it before leasing one.
 */
export async function acceptedUnusual(api: Api, way: Way): Promise<readonly Unusual[] | undefined> {
  const made = (await givenUnusual(api)).filter(({ ways }) => way === 'any wait' || ways.includes(way));
  const accepted = made.flatMap(({ unusual }) => unusual ?? []);
  return accepted.length > 0 && accepted.length === made.length ? accepted : undefined;
}

/** More chats than a limit of an organization may allow, and than two that share a lock by chance. */
export const mostTogether = 4;

/** Whether the first messages, which go to several chats at the same instant, were accepted. */
const togetherIn = perRun((): boolean[] => []);

/** Whether several chats have accepted messages that arrived at the same instant. False if none were sent. */
export function areAcceptedTogether({ session }: Api): boolean {
  const accepted = togetherIn(session);
  return accepted.length > 1 && accepted.every(Boolean);
}

type Made = { readonly ways: readonly Way[]; readonly unusual: Unusual | undefined };

/** Sent once in a run, in several chats if there are, which takes less time than in one. */
const givenUnusual = shared(async (api: Api): Promise<readonly Made[]> => {
  const plans = plansFor(api, await keysWork(api));
  const group = await unlessBlocked(() => givenGroup(api, mostTogether));
  if (group === undefined) {
    const made: Made[] = [];
    for (const some of plans)
      made.push(...(await madeOf(some, () => lendChat(api, (chat) => inTurn(api, chat, some)))));
    return made;
  }
  const dealt = group.map((chat, place) => {
    return { chat, some: plans.filter((_, index) => index % group.length === place).flat() };
  });
  // Code may keep a text where requests at the same instant share it, so the first ones go out together.
  const made = await eachAtOnce(dealt, async ({ chat, some }, gate) => {
    try {
      return await madeOf(some, () => inTurn(api, chat, some, gate));
    } finally {
      void gate(); // The others must not wait for one that is never sent.
      giveBack(api, chat);
    }
  });
  return made.flat();
});

async function madeOf(some: readonly Plan[], make: () => Promise<readonly Made[]>): Promise<readonly Made[]> {
  return (await unlessBlocked(make)) ?? some.map(({ ways }) => ({ ways, unusual: undefined }));
}

/** The first of them waits at the gate. */
async function inTurn(api: Api, chat: Chat, plans: readonly Plan[], gate?: Gate): Promise<readonly Made[]> {
  const made: Made[] = [];
  for (const [index, planned] of plans.entries()) {
    const plan = affordable(api, planned);
    const unusual = await sendUnusual(api, chat, plan, index === 0 ? gate : undefined);
    made.push({ ways: plan.ways, unusual });
  }
  return made;
}

function affordable({ session }: Api, plan: Plan): Plan {
  if (plan.longWait === undefined) return plan;
  if (!mayBeHeldInFull(session)) return { ...plan, wait: plan.longWait };
  return { ...plan, ways: plan.ways.filter((way) => way !== 'wait=300') };
}

async function sendUnusual(
  api: Api,
  chat: Chat,
  { ways, keyOf = (fresh) => fresh, ...draft }: Plan,
  gate: Gate | undefined,
): Promise<Unusual | undefined> {
  const { message: text, wait } = draft;
  let key = '';
  const remember = (fresh: string): string | null => {
    const made = keyOf(fresh);
    key = made ?? '';
    return made;
  };
  try {
    if (ways.includes('a refused key')) keyOf = await refusedKey(api, chat);
    const made = { ...draft, keyOf: remember };
    const first = gate === undefined ? undefined : await send(api, chat, made, { gate });
    if (first !== undefined) togetherIn(api.session).push(isSuccess(first));
    const answer = first === undefined || first.status === 409 ? await sendWhenFree(api, chat, made) : first;
    if (!isSuccess(answer)) return undefined;
    const isRepeated = ways.some((way) => repeatedWays.includes(way));
    const again = isRepeated
      ? await sendAgain(api, { chat, key, text, written: writtenOf(draft) }, { wait })
      : undefined;
    if (answer.status === 202 && again?.status !== 200) await isShownFinished(api, chat);
    return { chat, key, text, answer, again };
  } catch (error) {
    if (error instanceof TransportError) return undefined;
    throw error;
  }
}

/** A key that was sent with an invalid message, by an admin and by a principal who may not use the chat, and to an unknown chat. */
async function refusedKey(api: Api, chat: Chat): Promise<() => string> {
  const { principals, assistant } = api.session.target;
  const key = api.freshKey();
  const caller = as(chat.admin);
  const stranger = principals.find(({ adminOf }) => !adminOf.includes(chat.organizationId));
  // If strangers may use the chat, this is refused all the same.
  for (const sender of [caller, ...(stranger === undefined ? [] : [as(stranger)])]) {
    await api.sendMessage(sender, chat, { message: '', key });
  }
  const nowhere = { ...chat, chatId: unknownPlace(api).chatId };
  await api.sendMessage(caller, nowhere, { message: assistant.quickPrompt, key });
  return () => key;
}

/** Messages that go to one chat in this order; no two of these series need the same chat. */
function plansFor(api: Api, hasKeys: boolean): readonly (readonly Plan[])[] {
  const several = fc.tuple(twoLengths, drawnWait(api), drawnKey);
  const [values] = fc.sample(several, { seed: hash(`${api.session.seed} unusual`), numRuns: 1 });
  if (values === undefined) return [];
  const [[short, long], drawnSeconds, drawn] = values;
  const [space, digit] = oneCharacter;
  const [oddBody, escapedSlash] = oddBodies;
  const [, zeros, nothing, object] = valuesOfText;
  const usual = { wait: quickPromptWait(api.session) };
  const keyed = (keyOf: (fresh: string) => string): Draft => (hasKeys ? { keyOf } : {});
  return [
    [
      {
        ...usual,
        ...keyed((fresh) => shapedKey(fresh, longestKey)),
        message: digit,
        ways: ['one character', 'a value', 'the longest key'],
      },
      {
        ...usual,
        ...unkeyed,
        // The connection may keep the key of the message before.
        follows: true,
        longWait: beyondByte,
        message: space,
        contentType: oddContentType,
        ways: ['one character', 'a value', 'no key', 'a content type'],
      },
    ],
    [
      { wait: shortHeldWait(api), ...keyed(shortKey), message: zeros, ways: ['a value', 'a key'] },
      { message: nothing, wait: drawnSeconds, ways: hasKeys ? ['a value', 'a refused key'] : ['a value'] },
    ],
    [
      { ...usual, ...unkeyed, message: object, ways: ['a value', 'no key'] },
      // The same text once more: without a key it is no repetition.
      { ...usual, ...unkeyed, message: object, ways: ['no key'] },
    ],
    [
      { ...usual, ...escapedSlash, ways: ['a value'] },
      { ...usual, longWait: 300, message: longText(api, 'a', long), ways: ['a length', 'wait=300'] },
    ],
    [
      // Without `wait`, because other code may answer then, and while others are held.
      { ...unkeyed, ...oddBody, ways: ['one character', 'a value', 'no key'] },
    ],
    [
      {
        ...keyed((fresh) => plainKey(fresh, drawn)),
        message: longText(api, 'a', short),
        wait: 1,
        ways: ['a length', 'a key', 'wait=1'],
      },
    ],
  ];
}
