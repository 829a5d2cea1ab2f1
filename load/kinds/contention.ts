import { z } from 'zod';
import { parseJson, stringAt } from '../../core/json.ts';
import type { Fact } from '../../reports/load/load-record.ts';
import { count } from '../profile/fields.ts';
import type { LoadOptions, Profile } from '../profile/profile.ts';
import { type OpenChat, openChats } from '../schedule/chat-turns.ts';
import { beginRun } from './begin-run.ts';
import { isAccepted } from '../engine/send-one.ts';
import { becomesIdle, openWriter, type Writer } from './contention/chat-writer.ts';
import { fairnessName } from './contention/fairness.ts';
import { raceForChat } from './contention/race-for-chat.ts';
import { writeInTurns } from './contention/write-in-turns.ts';
import { loadKind } from './load-kind.ts';

const schema = z.strictObject(
  {
    writers: count('must be a whole number of writers from 1 to 1000', 1000).describe(
      'The number of writers. Each tries again until its message is accepted.',
    ),
    chats: count('must be a whole number of chats from 1 to 100', 100).describe(
      'The number of chats that they write to.',
    ),
    storm: count('must be a whole number of requests from 2 to 2000', 2000).describe(
      'The number of simultaneous requests with one idempotency key.',
    ),
  },
  { error: 'must hold writers, chats and storm' },
);

type ContentionLoad = z.infer<typeof schema> & { readonly durationMs: number };

/**
 * Many writers on few chats, a race for an idle one, and a storm with one key: is only one message accepted at a time? Only what the
 * writers do in their time is measured over time: the storm and the race follow it.
 */
export const contentionKind = loadKind<z.infer<typeof schema>, ContentionLoad>({
  name: 'contention',
  example: 'contention',
  schema,
  sendsInstead: 'messages',
  effects: () => ['messages'],
  resolve: (written, durationMs) => ({ ...written, durationMs }),
  plannedMs: ({ durationMs }) => durationMs,
  describe: ({ writers, chats, storm: requests }) =>
    `messages by ${writers} writers to ${chats} chats, and ${requests} at once with one key`,
  run: runContention,
});

async function runContention(load: ContentionLoad, profile: Profile, options: LoadOptions) {
  const { target, seed } = options;
  const { writers, chats: wanted, storm: requests, durationMs } = load;
  const chats = openChats(target).slice(0, wanted);
  const [first] = chats;
  const run = await beginRun(profile, options);
  const startAt = performance.now();
  run.begin(startAt);
  const writer = openWriter(run, { ...options, startAt, connections: Math.max(writers, requests), profile });
  const facts: Fact[] = [];
  if (first === undefined) {
    facts.push({
      name: 'chats',
      value: 'no chat can be written to: declare organizations.<id>.chats',
      verdict: 'unclear',
    });
  } else {
    facts.push(...(await writeInTurns(writer, chats, writers, durationMs, seed)));
    if (await becomesIdle(writer, first)) facts.push(answered(await storm(writer, first, requests)));
    if (await becomesIdle(writer, first)) facts.push(answered(await raceForChat(writer, first, writers)));
  }
  run.stop();
  const sockets = writer.sockets.stats();
  writer.sockets.close();
  const notes =
    chats.length < wanted ? [`${chats.length} of the ${wanted} chats that the profile asks for are declared.`] : [];
  return run.end({ sockets, facts, notes, headline: headlineOf(facts) });
}

/** The answers to the question of the profile; undefined if the run ended before there was one. */
function headlineOf(facts: readonly Fact[]): string | undefined {
  const answers = facts.flatMap(({ name, verdict, figure }) => {
    if (verdict === undefined || figure === undefined) return [];
    if (verdict === 'unclear') return [`not shown: ${name}`];
    return [verdict === 'good' ? name : name.replace(/^one (message|response)/, 'several $1s')];
  });
  const fairness = facts.flatMap(({ name, figure }) => {
    if (name !== fairnessName) return [];
    if (figure !== undefined) return [`${name} ${figure.text} ${figure.unit}`];
    return answers.length === 0 ? [] : [`too few messages to judge the ${name}`];
  });
  return answers.length + fairness.length === 0 ? undefined : [...answers, ...fairness].join(', ');
}

/** A fact that is a question, with its answer in a word. */
function answered(fact: Fact): Fact {
  const text = { good: 'yes', bad: 'no', unclear: '?' }[fact.verdict ?? 'unclear'];
  return { ...fact, figure: { text, unit: '' } };
}

/** Many requests with one idempotency key at the same instant must create only one message. */
async function storm(writer: Writer, chat: OpenChat, requests: number): Promise<Fact> {
  const text = writer.target.assistant.quickPrompt;
  const sent = await Promise.all(Array.from({ length: requests }, () => writer.write(chat, { text, key: 'storm' })));
  const accepted = sent.filter(isAccepted);
  const ids = new Set(
    accepted.flatMap(
      ({ arrived: { body } }) => stringAt(parseJson(Buffer.concat(body)).value, 'data', 'userMessage', 'id') ?? [],
    ),
  );
  const name = 'one message for a key';
  if (ids.size > 1)
    return { name, value: `${requests} requests with one key made ${ids.size} messages`, verdict: 'bad' };
  if (ids.size === 0)
    return { name, value: `none of ${requests} requests with one key was accepted`, verdict: 'unclear' };
  const others = sent.length - accepted.length;
  const rest = others === 0 ? '' : `, ${others} had another answer`;
  return {
    name,
    value: `${accepted.length} of ${requests} requests with one key got the same message${rest}`,
    verdict: 'good',
  };
}
