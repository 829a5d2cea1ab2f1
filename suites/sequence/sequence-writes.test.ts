import { expect, test } from 'vitest';
import type { HttpRequest } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { type Altered, inTurn, openWorld, unaltered, withBody } from '../../testing/sequence-world.ts';
import type { Sent } from '../../stage/chats/sending.ts';
import { askInSequence } from './sequence-interrupts.ts';
import type { Shown } from './sequence-promises.ts';
import {
  attachAgainInSequence,
  changeInSequence,
  countInSequence,
  repeatInSequence,
  sendInSequence,
  strangerInSequence,
} from './sequence-writes.ts';

const isMessage = ({ path }: HttpRequest): boolean => path.includes('/messages');
const isAccount = ({ method, path }: HttpRequest): boolean => method === 'GET' && path.includes('/billing-accounts/');
const isAttachment = ({ method, path }: HttpRequest): boolean =>
  method === 'POST' && path.includes('/billing-accounts/');

const refused =
  (status: number): Altered =>
  async () =>
    errorAnswer(status);

/** A message of that role with another ID. */
const withOther = (role: 'userMessage' | 'assistantMessage'): Altered =>
  withBody((body) => {
    const data = Object(body.data);
    return { ...body, data: { ...data, [role]: { ...data[role], id: 'another' } } };
  });

/** What is broken, in short, or what is kept. */
function inShort({ kept, broken }: Shown): string | readonly string[] {
  return broken === undefined ? kept : `${broken.promise}: ${broken.actual}`;
}

const held = { do: 'send', chat: 0 } as const;

test.each([
  ['is as before', () => unaltered, ['idempotency.after']],
  ['shows another message once', () => inTurn(isMessage, [withOther('userMessage')]), 'idempotency.after: others'],
  ['shows another message', () => withOther('userMessage'), 'idempotency.after: others'],
  ['shows another response', () => withOther('assistantMessage'), 'idempotency.after: others'],
  ['is refused once', () => inTurn(isMessage, [refused(422)]), []],
  ['is refused', () => refused(422), expect.stringMatching(/^idempotency.after: 422/)],
  [
    'is refused, and then shows another message',
    () => inTurn(isMessage, [refused(422)], withOther('userMessage')),
    'idempotency.after: others',
  ],
] as const)('a repetition %s', async (_what, alteredTo, said) => {
  const { world, alter } = await openWorld();
  const sent: Sent[] = [];
  expect(await sendInSequence(world, held, sent)).toEqual({ kept: [], broken: undefined });
  expect(sent).toHaveLength(1);
  alter(alteredTo());
  const shown = await repeatInSequence(world, { do: 'repeat', back: 0 }, sent);
  // A success with other messages is no accident.
  expect(inShort(shown)).toEqual(said);
});

test('messages are repeated by their place, from the last one or from the first one', async () => {
  const { world, alter } = await openWorld();
  expect(world.chats).toHaveLength(2);
  const sent: Sent[] = [];
  for (const chat of [0, 1, 0]) await sendInSequence(world, { ...held, chat }, sent);
  const keys: (string | undefined)[] = [];
  alter((request, behind) => {
    keys.push(request.headers['idempotency-key']);
    return behind(request);
  });
  const repeated = async (back: number) => inShort(await repeatInSequence(world, { do: 'repeat', back }, sent));
  expect(await repeated(0)).toEqual(['idempotency.after']);
  expect(await repeated(1)).toEqual(['idempotency.after']);
  expect(await repeated(2)).toEqual(['idempotency.later']);
  expect(await repeated(3)).toEqual(['idempotency.after']);
  expect(await repeated(-1)).toEqual(['idempotency.later']);
  expect(await repeated(-2)).toEqual(['idempotency.after']);
  expect(await repeated(-9)).toEqual([]);
  const [first, second, third] = sent.map(({ key }) => key);
  expect(keys).toEqual([third, second, first, third, first, second]);
});

test('without a message, or while its response is generating, a repetition shows nothing', async () => {
  const { world } = await openWorld(undefined, undefined, { assistant: 'always-6-s' });
  const sent: Sent[] = [];
  expect(inShort(await repeatInSequence(world, { do: 'repeat', back: 0 }, sent))).toEqual([]);
  await askInSequence(world, { do: 'ask', chat: 0 }, sent);
  expect(sent.map(({ answer }) => answer.status)).toEqual([202]);
  expect(inShort(await repeatInSequence(world, { do: 'repeat', back: 0 }, sent))).toEqual([]);
});

test('a message that is refused is not repeated, and without a chat none is sent', async () => {
  const { world, alter } = await openWorld();
  const sent: Sent[] = [];
  alter(refused(422));
  await expect(sendInSequence(world, held, sent)).rejects.toThrow(Blocked);
  expect(sent).toEqual([]);
  alter(async () => {
    throw new Error('nothing is sent');
  });
  await sendInSequence({ ...world, chats: [] }, held, sent);
});

/** An account with this count. */
const counting = (made: (count: number) => number | undefined): Altered =>
  inTurn(
    isAccount,
    [],
    withBody((body) => {
      const data = Object(body.data);
      return { ...body, data: { ...data, organizationCount: made(data.organizationCount) } };
    }),
  );

/** An account that counts one organization too many, and each attachment once more. */
function repetitionsCount(): Altered {
  let more = 1;
  const counted = counting((count) => count + more);
  return (request, behind) => {
    if (isAttachment(request)) more += 1;
    return counted(request, behind);
  };
}

test.each([
  ['is as it must be', () => unaltered, ['attach.count', 'attach.twice']],
  ['is not shown', () => counting(() => undefined), []],
  ['is larger, whatever is attached again', () => counting((count) => count + 1), []],
  ['is larger, and grows with each repetition', () => repetitionsCount(), expect.stringMatching(/^attach.twice: \d+$/)],
  ['is far smaller', () => counting(() => -9), expect.stringMatching(/^attach.count: -9$/)],
] as const)('organizationCount %s', async (_what, alteredTo, said) => {
  const { world, alter } = await openWorld();
  alter(alteredTo());
  expect(inShort(await countInSequence(world))).toEqual(said);
});

test('a count that another client raised once is no violation, also if it falls again', async () => {
  const { world, alter } = await openWorld();
  alter(counting((count) => count + 1));
  expect(inShort(await countInSequence(world))).toEqual([]);
  expect(inShort(await countInSequence(world))).toEqual(['attach.count', 'attach.twice']);
  alter(unaltered);
  expect(inShort(await countInSequence(world))).toEqual([]);
});

test.each([
  [
    'a repetition counts',
    true,
    expect.stringMatching(/^attach.count: \d+, and \d+ once each of them was attached again$/),
  ],
  ['a repetition does not count either', false, []],
] as const)(
  'of an account that counted more before, an attachment is not counted: %s',
  async (_what, repeats, said) => {
    let uncounted = 0;
    const counted = counting((count) => count + 2 - uncounted);
    const { world, alter } = await openWorld(counted);
    let attachments = 0;
    alter((request, behind) => {
      if (isAttachment(request)) {
        attachments += 1;
        uncounted = repeats && attachments > 1 ? 0 : 1;
      }
      return counted(request, behind);
    });
    expect(await changeInSequence(world, { do: 'attach' })).toBe(true);
    expect(inShort(await countInSequence(world))).toEqual(said);
    const sent = attachments;
    // Each organization is attached again once.
    expect(inShort(await countInSequence(world))).toEqual(repeats ? ['attach.count', 'attach.twice'] : []);
    expect(attachments).toBe(sent);
  },
);

test('a count that changes by itself is held against nobody', async () => {
  const { world, alter } = await openWorld();
  let more = 0;
  alter(
    counting((count) => {
      more += 1;
      return count + more;
    }),
  );
  await expect(countInSequence(world)).rejects.toThrow(Blocked);
});

test('without an attachment, nothing is counted or attached', async () => {
  const { world, alter } = await openWorld();
  const none = { ...world, account: undefined };
  alter(async () => {
    throw new Error('nothing is sent');
  });
  expect(inShort(await countInSequence(none))).toEqual([]);
  expect(inShort(await attachAgainInSequence(none, { do: 'attach-again', which: 0 }))).toEqual([]);
  expect(await changeInSequence(none, { do: 'attach' })).toBe(true);
});

test('what was attached is attached again, by turns', async () => {
  const { world, alter } = await openWorld();
  const bodies: unknown[] = [];
  alter((request, behind) => {
    if (isAttachment(request)) bodies.push(JSON.parse(String(request.body)));
    return behind(request);
  });
  const { attached = [] } = world.account ?? {};
  expect(attached.length).toBeGreaterThan(1);
  const places = [...attached.keys(), attached.length];
  for (const which of places) await attachAgainInSequence(world, { do: 'attach-again', which });
  expect(bodies).toEqual([...attached, attached[0]].map((organizationId) => ({ organizationId })));
  expect(inShort(await countInSequence(world))).toEqual(['attach.count', 'attach.twice']);
});

test.each([
  ['attach', 'accepted', () => unaltered, true, 1],
  ['attach', 'refused', () => refused(400), true, 0],
  ['attach', 'answered by an error of the deployment', () => refused(500), false, 0],
  ['delete', 'accepted', () => unaltered, true, 1],
  ['delete', 'refused', () => refused(400), true, 0],
  ['delete', 'answered by an error of the deployment', () => refused(500), false, 0],
] as const)('%s, which is %s', async (what, _how, alteredTo, isKnown, made) => {
  const { world, alter } = await openWorld();
  const before = { attached: world.account?.attached.length ?? 0, count: world.account?.count ?? 0 };
  alter(alteredTo());
  expect(await changeInSequence(world, { do: what })).toBe(isKnown);
  expect(world.changed).toBe(1);
  expect(world.deleted).toHaveLength(what === 'delete' ? made : 0);
  expect(world.account?.attached).toHaveLength(before.attached + (what === 'attach' ? made : 0));
  expect(world.account?.count).toBe(before.count + (what === 'attach' ? made : 0));
});

test('each change is made once, until nothing is left', async () => {
  const { world, alter } = await openWorld();
  const writes: string[] = [];
  alter((request, behind) => {
    if (request.method !== 'GET') writes.push(`${request.method} ${request.path} ${String(request.body ?? '')}`);
    return behind(request);
  });
  for (let count = 0; count < 3; count += 1) {
    expect(await changeInSequence(world, { do: 'delete' })).toBe(true);
    expect(await changeInSequence(world, { do: 'attach' })).toBe(true);
  }
  expect(new Set(writes).size).toBe(writes.length);
  expect(world.deleted.map(({ disposable }) => disposable)).toEqual(world.deletable);
  expect(writes).toHaveLength(world.deletable.length + world.attachable.length);
});

/** Everybody is admin of everything. */
const friendly = (target: Target): Target => {
  const ids = target.organizations.map(({ id }) => id);
  return { ...target, principals: target.principals.slice(0, 1).map((one) => ({ ...one, adminOf: ids })) };
};

test('strangers are all who are no admins of what was attached or of the list, and ask for both lists, by turns', async () => {
  const { world, target, alter } = await openWorld();
  const asked: string[] = [];
  alter((request, behind) => {
    const organization = /organizations\/([^/]+)/.exec(request.path)?.[1] ?? '';
    const caller = target.principals.find(({ key }) => request.headers['authorization'] === `Bearer ${key}`);
    asked.push(`${caller?.name} ${organization} ${request.path.includes('/models?') ? 'models' : 'sources'}`);
    return behind(request);
  });
  const organizations = [...(world.account?.attached ?? []).toReversed(), world.lists.listDataSources.organizationId];
  const expected = organizations.flatMap((id) =>
    target.principals
      .filter(({ adminOf }) => !adminOf.includes(id))
      .flatMap(({ name }) => [`${name} ${id} sources`, `${name} ${id} models`]),
  );
  for (let which = 0; which <= expected.length; which += 1) {
    const shown = inShort(await strangerInSequence(world, { do: 'stranger', which }));
    expect(shown).toEqual([which % 2 === 0 ? 'access.denied/listDataSources' : 'access.models-404']);
  }
  expect(asked).toEqual([...expected, expected[0]]);
});

test('a stranger who may read is a violation, and without a stranger nothing is asked', async () => {
  const { world, alter } = await openWorld();
  alter(async (request, behind) => ({ ...(await behind(request)), status: 200 }));
  const judgements = [
    [0, /^access.denied\/listDataSources: 200/],
    [1, /^access.models-404: 200/],
  ] as const;
  for (const [which, judgement] of judgements)
    expect(inShort(await strangerInSequence(world, { do: 'stranger', which }))).toMatch(judgement);
  const { api } = world;
  const session = { ...api.session, target: friendly(api.session.target) };
  const alone = { ...world, api: Object.assign(Object.create(api), { session }) };
  expect(inShort(await strangerInSequence(alone, { do: 'stranger', which: 0 }))).toEqual([]);
});
