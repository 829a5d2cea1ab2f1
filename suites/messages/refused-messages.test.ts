import { expect, test } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import { type Deployment, type HttpRequest, TransportError } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';
import { errorAnswer, refusing } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = (behind: Deployment, clock: Clock, target: Target) => Deployment;

/** Refuses the first messages to chats that are not declared with 409. */
const busyWhereUnknown =
  (most: number): Through =>
  (behind, _clock, { organizations }) => {
    const known = organizations.flatMap(({ chats }) => chats);
    let count = 0;
    return refusing(({ path }) => {
      const isUnknown = path.includes('/messages') && !known.some((id) => path.includes(`/${id}/`));
      return isUnknown && (count += 1) <= most ? 409 : undefined;
    })(behind);
  };

const withWait = (wait: RegExp): Through => refusing(({ path }) => (wait.test(path) ? 422 : undefined));

const slowRefused: Through = (behind, _clock, { assistant }) =>
  refusing(({ path, body }) =>
    path.endsWith('messages') && String(body).includes(assistant.slowPrompt) ? 422 : undefined,
  )(behind);

const withoutLongest: Through = (behind) => (request) =>
  behind({ ...request, path: request.path.replace('?wait=300', '') });

const broken: Through = (behind) => async (request) => {
  if (/wait=(0|301)$/.test(request.path)) throw new TransportError('reset', 'it broke');
  return behind(request);
};

test.each([
  ['messages.unknown-chat', 'an unknown chat is busy for a while', busyWhereUnknown(3), []],
  ['messages.unknown-chat', 'an unknown chat is always busy', busyWhereUnknown(99), [/^blocked: .* got only 409 to/]],
  ['wait.ends/side-by-side', 'a long wait is refused', withWait(/wait=3$/), [/^blocked: .* wait=3 was answered 422/]],
  [
    'messages.accepted-is-generating',
    'the slow prompt is refused',
    slowRefused,
    [/^blocked: the slow prompt was answered 422/],
  ],
  ['wait.refused', 'connections break', broken, [/^errored: .*wait=0: it broke$/]],
] as const)('%s, where %s', async (id, _what, through, said) => {
  expect(await saidBy(id, { through })).toEqual(said.map((one) => expect.stringMatching(one)));
});

test.each([
  ['the longest wait is refused', withWait(/wait=300$/), [/^failed: expected 2xx with wait=300; got 422/]],
  ['the longest wait is answered at once', withoutLongest, []],
  ['the longest wait is answered', withWait(/never/), []],
  ['connections break', broken, []],
] as const)('wait.maximum, where requests are held for their whole wait and %s', async (_what, through, said) => {
  const faults = ['whole-wait-held'];
  expect(await saidBy('wait.maximum', { faults, through, after: ['wait.finishes'] })).toEqual(
    said.map((one) => expect.stringMatching(one)),
  );
});

const chunksRefused = (status: number, most = 0): Through =>
  refusing(({ chunks = 0 }) => (chunks > most ? status : undefined));

test.each([
  [411, 0, []],
  [501, 0, []],
  [400, 0, []],
  [400, 1, [/^failed: expected 2xx for a body in several chunks, as for one chunk; got 400/]],
] as const)(
  'messages.text, where a body in chunks is answered %i if there are more than %i',
  async (status, most, said) => {
    expect(await saidBy('messages.text', { through: chunksRefused(status, most) })).toEqual(
      said.map((one) => expect.stringMatching(one)),
    );
  },
);

/** Chunks are read as an empty body, or refused with an error that is about something else. */
const withoutBody =
  (isRead: boolean): Through =>
  (behind) =>
  async (request) => {
    if (request.chunks === undefined) return behind(request);
    return isRead ? behind({ ...request, body: '' }) : errorAnswer(400);
  };

test.each([
  [true, [/^failed: expected 2xx, or another error than for an empty body; got 400/]],
  [false, []],
] as const)('messages.text, where a body in chunks is read as empty: %s', async (isRead, said) => {
  expect(await saidBy('messages.text', { through: withoutBody(isRead) })).toEqual(
    said.map((one) => expect.stringMatching(one)),
  );
});

/** Responses to messages with such a wait never end: they are held for all of it, or until the client leaves. */
const endlessWith =
  (wait: RegExp, held: number[]): Through =>
  (behind, clock) =>
  async (request) => {
    if (!wait.test(request.path)) return behind(request);
    held.push(request.timeoutMs);
    await clock.sleep(request.timeoutMs);
    throw new TransportError('timeout', 'no answer in time');
  };

test('wait.maximum, where a response never ends, is not waited for to the end of its wait', async () => {
  const held: number[] = [];
  expect(await saidBy('wait.maximum', { through: endlessWith(/wait=300$/, held), after: ['wait.finishes'] })).toEqual(
    [],
  );
  expect(held.length).toBeGreaterThan(0);
  expect(Math.max(...held)).toBeLessThan(100_000);
});

/** The answers to messages with that text do not show it. */
const hiding =
  (text: string): Through =>
  (behind) =>
  async (request) => {
    const answer = await behind(request);
    if (!String(request.body).includes(JSON.stringify(text))) return answer;
    const shown = Buffer.from(answer.body).toString();
    return { ...answer, body: Buffer.from(shown.replaceAll('"text"', '"other"')) };
  };

test.each([
  [
    'of one message is not shown',
    hiding('null'),
    [/^failed: expected userMessage\.text, as for other messages; got no text/],
  ],
  ['of no message is hidden', hiding('of no message'), []],
] as const)('messages.text/values, where the text %s', async (_what, through, said) => {
  expect(await saidBy('messages.text/values', { through })).toEqual(said.map((one) => expect.stringMatching(one)));
});

const losingFirst =
  (isLost: (request: HttpRequest) => boolean): Through =>
  (behind) => {
    let isFirst = true;
    return async (request) => {
      if (!isFirst || !isLost(request)) return behind(request);
      isFirst = false;
      throw new TransportError('timeout', 'no answer in time');
    };
  };

test.each([
  ['wait.refused', losingFirst(({ path }) => path.endsWith('wait=301'))],
  [
    'message.too-long/any-length',
    losingFirst(({ body, path }) => path.includes('wait=') && (body?.length ?? 0) > 10_000),
  ],
] as const)('%s accuses no deployment whose refusal is lost once', async (id, through) => {
  expect(await saidBy(id, { through })).toEqual([]);
});

/** Bob, no admin of the organization, may use its chats; others may not. */
const openToOne: Through = (behind, _clock, { principals }) => {
  const bearerOf = (name: string) => `Bearer ${principals.find((one) => one.name === name)?.key}`;
  return (request) => {
    const isBobs = request.path.includes('/messages') && request.headers['authorization'] === bearerOf('bob');
    return behind(isBobs ? { ...request, headers: { ...request.headers, authorization: bearerOf('alice') } } : request);
  };
};

test('strangers who may not use a chat are tried where one of them may', async () => {
  const id = 'message.refused-no-trace/of-strangers';
  expect(await saidBy(id, { through: openToOne })).toEqual([]);
  expect(await saidBy(id, { through: openToOne, faults: ['denied-message-answered'] })).toEqual([
    expect.stringMatching(/^failed: /),
  ]);
});

/** What {@link saidBy} gives for the check after that of traces, and how often it and that one sent the body. */
async function saidOnce(id: string, body: string, status?: number): Promise<readonly [readonly string[], number]> {
  let sent = 0;
  const said = await saidBy(id, {
    after: ['message.refused-no-trace'],
    through: (behind) => async (request) => {
      if (request.body !== body) return behind(request);
      sent += 1;
      const answer = await behind(request);
      return status === undefined ? answer : { ...answer, status };
    },
  });
  return [said, sent];
}

test('A message that was refused without a trace is not sent again to judge its refusal', async () => {
  expect(await saidOnce('message.missing', '{}')).toEqual([[], 1]);
});

test('One that was not refused for what is wrong with it is sent again', async () => {
  const [said, sent] = await saidOnce('message.missing', '{}', 409);
  expect(said).toEqual([expect.stringMatching(/^blocked: the chat is busy: the body \{\} was answered 409/)]);
  expect(sent).toBeGreaterThan(1);
});
