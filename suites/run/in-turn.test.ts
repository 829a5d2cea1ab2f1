import { expect, test } from 'vitest';
import { type Check, check, type Phase } from '../../engine/check.ts';
import { inOrder, inTurn } from './in-turn.ts';

function made(phase: Phase, name: string): Check {
  return { ...check('models.columns', async () => {}), id: `${phase}/${name}`, phase };
}

/** When each check started and ended, in the order of these events. A check takes as many turns as `turnsOf` says. */
async function eventsOf(
  checks: readonly Check[],
  atOnce: number,
  turnsOf: (id: string) => number = () => 1,
): Promise<readonly string[]> {
  const events: string[] = [];
  await inTurn(checks, atOnce, async ({ id }) => {
    events.push(`+${id}`);
    for (let turn = 0; turn < turnsOf(id); turn += 1) await Promise.resolve();
    events.push(`-${id}`);
  });
  return events;
}

const all = [
  made('last', 'a'),
  made('changes', 'a'),
  made('attachments', 'a'),
  made('attachments', 'b'),
  made('deletions', 'a'),
  made('messages', 'a'),
  made('together', 'a'),
  made('together', 'b'),
  made('messages', 'b'),
];

test('one at a time, checks keep their order except for what has to be over before', async () => {
  const started = (await eventsOf(all, 1)).filter((event) => event.startsWith('+'));
  expect(started).toEqual([
    '+messages/a',
    '+together/a',
    '+together/b',
    '+messages/b',
    '+attachments/a',
    '+attachments/b',
    '+deletions/a',
    '+changes/a',
    '+last/a',
  ]);
});

test('side by side, deletions and attachments wait for the readers of lists alone, and run one by one', async () => {
  const events = await eventsOf(all, 8, (id) => (id === 'messages/a' ? 1000 : 10));
  const at = (event: string): number => events.indexOf(event);
  expect(at('+deletions/a')).toBeGreaterThan(Math.max(at('-together/a'), at('-together/b')));
  expect(at('+attachments/a')).toBeLessThan(at('-deletions/a'));
  expect(at('+attachments/b')).toBeGreaterThan(at('-attachments/a'));
  expect(at('+changes/a')).toBeGreaterThan(Math.max(at('-deletions/a'), at('-attachments/b')));
  expect(at('-messages/a')).toBeGreaterThan(at('-changes/a'));
  expect(at('+last/a')).toBeGreaterThan(at('-messages/a'));
});

test('no more checks run at a time than allowed, and none starts once the run is over', async () => {
  let running = 0;
  let most = 0;
  let done = 0;
  const run = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    done += 1;
  };
  const many = Array.from({ length: 20 }, (_, index) => made('together', `${index}`));
  await inTurn(many, 3, run, () => done >= 6);
  expect(most).toBe(3);
  expect(done).toBeLessThan(10);
});

test('a check that has to be alone gives its lane back, and goes on when no other check sends messages', async () => {
  const messages = (name: string): Check => ({ ...made('messages', name), uses: ['messages'] });
  const checks = ['a', 'b', 'c', 'd'].map(messages);
  const events: string[] = [];
  await inTurn([...checks, made('later', 'e')], 2, async ({ id }, alone) => {
    events.push(`+${id}`);
    if (id === 'messages/a' || id === 'messages/b') {
      await alone();
      events.push(`=${id}`);
      await Promise.resolve();
      await alone();
      events.push(`=${id}`);
    }
    await Promise.resolve();
    events.push(`-${id}`);
  });
  const afterwards = events.slice(events.indexOf('=messages/a'));
  expect(events.indexOf('=messages/a')).toBeGreaterThan(events.indexOf('-messages/d'));
  expect(afterwards).toEqual([
    '=messages/a',
    '=messages/b',
    '=messages/a',
    '-messages/a',
    '=messages/b',
    '-messages/b',
    '+later/e',
    '-later/e',
  ]);
});

test('a check of the sequence that all share sends messages whatever it declares, so none has to be alone beside it', async () => {
  const events: string[] = [];
  const alone = { ...made('messages', 'a'), uses: ['messages'] } as const;
  await inTurn([alone, made('changes', 'b')], 2, async ({ id }, untilAlone) => {
    if (id === alone.id) await untilAlone();
    else for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    events.push(id);
  });
  expect(events).toEqual(['changes/b', 'messages/a']);
});

test('a check that sends messages holds up no check that may run beside it', async () => {
  const sending = { ...made('messages', 'a'), uses: ['messages'] } as const;
  const events = await eventsOf([sending, made('together', 'b')], 2, (id) => (id === sending.id ? 100 : 1));
  expect(events.at(-1)).toBe('-messages/a');
});

test('side by side, messages for requirements of several operations come last', async () => {
  const messages = ['access.granted/sendMessage', 'wait.holds', 'wait.ends'].map((id) => ({
    ...made('messages', id),
    id,
    operation: 'sendMessage' as const,
  }));
  const [first] = all.filter(({ phase }) => phase === 'together');
  const started = (await eventsOf([...(first === undefined ? [] : [first]), ...messages], 2)).filter((event) =>
    event.startsWith('+'),
  );
  expect(started.at(-1)).toBe('+access.granted/sendMessage');
});

test('whatever order checks are written in, those of an earlier phase come first', () => {
  const phases: readonly Phase[] = ['last', 'outage', 'later', 'rateLimit', 'changes', 'deletions', 'together'];
  const sorted = inOrder(phases.map((phase) => made(phase, 'a'))).map(({ phase }) => phase);
  expect(sorted).toEqual(phases.toReversed());
});
