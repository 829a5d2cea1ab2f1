import { messagesOf, type Stage } from './stage.ts';

const texts: readonly unknown[] = [
  '',
  ' a\r\n<b>e\u0301</b> ',
  '😀'.repeat(10_000),
  'x'.repeat(10_001),
  `${'x'.repeat(9999)}e\u0301`,
  undefined,
  null,
  5,
  'a\0b',
  '\ud83d',
  'a\u202eb\u202c \u2067c\u2069',
];

/** What is accepted and what is refused. */
export async function contents({ main, target, post, sleep }: Stage): Promise<void> {
  const chat = main.chats[1];
  for (const message of texts) {
    await post(messagesOf(main, chat), { message });
    await sleep(6000);
  }
  for (const key of ['long', 'long']) {
    await post(messagesOf(main, chat), { message: `${'é'.repeat(300)}🙂` }, { key });
    await sleep(6000);
  }
  await post(messagesOf(main, chat), { message: 'x' }, { as: 'erin' });
  await post(messagesOf(main, chat), '{');
  await post(messagesOf(main, chat), '[{"message":"x"}]');
  await sleep(6000);
  await post(messagesOf(main, chat), `{"message":"${'\\u5b57'.repeat(6000)}"}`);
  await sleep(6000);
  await post(messagesOf(main, chat), '\n{ "message": "\\ud83d\\ude42" }');
  await sleep(6000);
  await post(messagesOf(main, chat), { message: 'x' }, { type: 'text/plain' });
  await post(messagesOf(main, chat), { message: 'x' }, { type: 'application/json;charset=UTF-8' });
  await post(messagesOf(main, chat), { message: 'x' }, { type: 'Application/JSON' });
  await sleep(6000);
  for (const wait of ['0', '1', '300', '301', '-1', '1.5', '1s', 'x', '2', '9']) {
    const message = wait === '1' || wait === '2' ? target.assistant.slowPrompt : 'hello';
    await post(messagesOf(main, chat, `?wait=${wait}`), { message });
    await sleep(6000);
  }
  for (const message of ['x'.repeat(10_001), '', undefined, 5]) {
    await post(messagesOf(main, chat, '?wait=1'), { message });
    await sleep(6000);
  }
}

/** Repeated keys, busy chats and races. */
export async function keys({ main, other, small, target, post, sleep }: Stage): Promise<void> {
  const message = target.assistant.slowPrompt;
  const chat = (index: number, query = ''): string => messagesOf(main, main.chats[index], query);
  await post(chat(2), { message }, { key: 'one' });
  await post(chat(2), { message }, { key: 'one' });
  await post(chat(2), { message: 'other' }, { key: 'two' });
  await post(chat(2), { message }, { key: 'x'.repeat(300) });
  await post(chat(2, '?wait=1'), { message: 'busy' });
  await post(chat(2), { message: 'still busy '.repeat(600) });
  await post(chat(3), { message: 'other chat' }, { key: 'one' });
  await post(chat(2), { message }, { key: 'one', as: 'bob' });
  await post(chat(2), { message }, { key: 'one', authorization: 'Bearer nobody' });
  await post(chat(2), { message }, { key: 'one', as: 'nobody' });
  await sleep(2000);
  await post(chat(2), { message: 'again' });
  await sleep(3000);
  await post(chat(2), { message }, { key: 'one' });
  await post(chat(2, '?wait=2'), { message }, { key: 'one' });
  await post(chat(2), { message: 'after' }, { key: 'three' });
  await sleep(1000);
  const likeOne = ['one', "o'ne", 'ONE', 'three', 'on', 'o-ne', 'onf', 'on_', 'Aa', 'BB'];
  for (const key of [...likeOne, '7', '007', '0', '0', ...[255, 256, 254].map((length) => 'k'.repeat(length))]) {
    await post(chat(2), { message }, { key });
    await sleep(5000);
  }
  await post(chat(2), { message: 'two' }, { key: 'two' });
  await post(messagesOf(other, other.chats[0]), { message: 'x' }, { as: 'erin', key: 'one' });
  await post(messagesOf(small, main.chats[2]), { message: 'through another organization' });
  await post(messagesOf(main, 'none'), { message: 'x' }, { key: 'first elsewhere' });
  await post(chat(6), { message: '' }, { key: 'first invalid' });
  for (const key of ['first elsewhere', 'first elsewhere', 'first invalid', 'first invalid']) {
    await post(chat(6), { message: 'x' }, { key });
    await sleep(5000);
  }
  await Promise.all(['p', 'p', 'p'].map((key) => post(chat(4, '?wait=10'), { message }, { key })));
  await Promise.all(['q', 'r', 's'].map((key) => post(chat(5), { message }, { key })));
  await sleep(10_000);
  await post(chat(5), { message: 'after the race' });
  await sleep(5000);
  for (const key of ['held', 'held']) await post(chat(5, '?wait=1'), { message }, { key });
  await post(chat(5), { message: 'after the wait' });
  await sleep(5000);
  await post(chat(5, '?wait=10'), { message }, { key: 'lost', leavesAfterMs: 500 });
  await post(chat(5), { message: 'after the client left' });
  await sleep(500);
  await post(chat(5), { message: 'a moment later' });
  await post(chat(5, '?wait=10'), { message }, { key: 'lost' });
  await sleep(10_000);
  const held = main.chats.slice(0, 3).map((each) => messagesOf(main, each, '?wait=2'));
  await Promise.all(held.map((each) => post(each, { message })));
}
