import { prompts } from '../prompts.ts';
import { messagesOf, type Stage } from './stage.ts';

/** Groups of keys that a target may take for the same one. */
const alike: readonly string[] = [
  ['a b', 'a c', 'a  b', 'a+b'],
  ['a,b', 'a,c'],
  ['a;b', 'a;c'],
  ['x/a', 'y/a', '/x/a', 'a', 'a='],
  ['ab', 'a.b', 'a*b', 'a\\b', 'ba', 'bA', 'aca', 'bab'],
  ['bgyfYM', 'EqMaHc', 'B7aeqA', 'nX3z5d'],
  ['c0ffee', 'C0FFEE', '{c0ffee}'],
  ['b0', 'bO', '-b'],
  ['0b4ddf5e-0f6b-4c2d-9d3a-6a1c3f1f7a52', '0B4DDF5E-0F6B-4C2D-9D3A-6A1C3F1F7A52'],
].flat();

/** Keys that look alike, old keys, and old keys in a busy chat. */
export async function repetitions({ main, post, sleep }: Stage): Promise<void> {
  const path = messagesOf(main, main.chats[7]);
  const quick = { message: prompts.quick };
  const slow = { message: prompts.slow };
  for (const key of [...alike, ...alike, ...Array.from({ length: 13 }, () => 'a b')]) {
    await post(path, quick, { key });
    await sleep(1000);
  }
  for (let turn = 0; turn < 2; turn += 1) {
    await post(path, quick, { key: 'in capitals', headerNames: 'capitals' });
    await sleep(5000);
  }
  await post(path, quick, { key: 'in capitals', headers: { 'user-agent': 'another client' } });
  const elsewhere = messagesOf(main, main.chats[6]);
  await post(elsewhere, quick, { key: 'elsewhere' });
  await sleep(5000);
  await post(path, slow, { key: 'newer' });
  await post(path, quick, { key: 'elsewhere' });
  await post(elsewhere, quick, { key: 'elsewhere' });
  await post(path, quick, { key: 'refused' });
  await post(path, quick, { key: 'a b' });
  await post(path, quick);
  await sleep(5000);
  for (let turn = 0; turn < 2; turn += 1) {
    await post(path, quick, { key: 'refused' });
    await sleep(5000);
  }
}

/** Messages to a busy chat, to one that was busy before, and to several that are held at the same time. */
export async function locks({ main, post, sleep }: Stage): Promise<void> {
  const chat = main.chats[7];
  const path = messagesOf(main, chat);
  await post(path, { message: prompts.quick });
  await sleep(1000);
  await post(path, { message: prompts.slow });
  await sleep(3000);
  await post(path, { message: 'late' });
  await sleep(2000);
  await post(path, { message: prompts.slow });
  await post(messagesOf(main, chat, '?wait=10'), { message: 'with wait' });
  await sleep(10_000);
  await post(messagesOf(main, chat, '?wait=10'), { message: prompts.slow }, { key: 'left', leavesAfterMs: 500 });
  await sleep(10_000);
  await post(path, { message: 'after the lost answer' });
  await sleep(1000);
  await post(path, { message: prompts.slow });
  await post(path, { message: '' });
  await post(path, { message: 'after an invalid one' });
  await post(messagesOf(main, chat, '?wait=x'), { message: 'with a wrong wait' });
  await post(path, { message: 'after a wrong wait' });
  await sleep(10_000);
  const held = main.chats.slice(0, 3).map((each) => messagesOf(main, each, '?wait=2'));
  await Promise.all(held.map((each) => post(each, { message: prompts.slow })));
}
