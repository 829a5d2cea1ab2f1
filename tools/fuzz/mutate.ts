import { jsonIn } from '../../core/json.ts';
import type { Random } from '../../reference/random.ts';

/** Pieces that parsers, escapes and numbers trip over, between commas. */
const atoms = [
  `",',\\,{,},[,],:,#,|,>,%,~,&a ,*a,!!js ,<script>,\${A},\${,$AWC_KEY_A,{row.a},%41,&#65;,YWJj,__proto__,constructor,null,true`,
  '-1,0,-0,1e999,1e-7,300000000,9007199254740993,0x10,NaN,../..,javascript:,::error::,##[group],$(id),a, ,,\n,\r\n,\0,\t',
  '\u202e,\ud800,\u2028,\ufeff,🦉,é,\u001b[31m',
].flatMap((pieces) => pieces.split(','));
const lengths = [1, 2, 3, 60, 300, 5000, 100_000] as const;
const maxLength = 2_000_000;
/** How much longer one repetition makes a text. */
const maxRepeated = 500_000;

/** A text that was changed in one to four places. Texts that are JSON are often changed as such, so that they are read further. */
export function mutateText(text: string, random: Random): string {
  if (random.next() < 0.5) {
    const json = jsonIn(text);
    if (typeof json === 'object' && json !== null) return JSON.stringify(mutateJson(json, random)).slice(0, maxLength);
  }
  let mutated = text;
  for (let times = random.integer(1, 4); times > 0; times -= 1) mutated = changedOnce(mutated, random);
  return mutated.slice(0, maxLength);
}

/** The same for lines, one of which is changed, left out, repeated or moved. */
export function mutateLines(text: string, random: Random): string {
  const lines = text.split('\n');
  const at = random.integer(0, lines.length - 1);
  const line = lines[at] ?? '';
  const put = random.pick<readonly string[]>([mutateText(line, random)], [mutateText(line, random)], [], [line, line]);
  lines.splice(at, 1, ...put);
  if (random.next() < 0.1) lines.splice(random.integer(0, lines.length), 0, line);
  return lines.join('\n');
}

function changedOnce(text: string, random: Random): string {
  const from = random.integer(0, text.length);
  const to = Math.min(text.length, from + random.pick(0, 1, 3, 20, 400));
  const other = random.integer(0, text.length);
  const put = random.pick(
    () => pieceOf(random),
    () => text.slice(other, other + random.pick(1, 10, 300)),
    () => text.slice(from, to).repeat(random.pick(2, 50, 2000)),
    () => String.fromCharCode(random.integer(0, 0xffff)),
    () => '',
  );
  return (text.slice(0, from) + put() + text.slice(to)).slice(0, maxLength);
}

function pieceOf(random: Random): string {
  return random
    .pick('', ...atoms)
    .repeat(random.pick(1, 1, 1, ...lengths))
    .slice(0, 100_000);
}

type Holder = { readonly parent: object; readonly name: string };

function holdersIn(value: unknown): readonly Holder[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [{ parent: value, name }, ...holdersIn(inner)]);
}

/** Changes one to three values of a tree. */
function mutateJson(json: object, random: Random): object {
  for (let times = random.integer(1, 3); times > 0; times -= 1) {
    const holders = holdersIn(json);
    const holder = holders[random.integer(0, holders.length - 1)];
    const other = holders[random.integer(0, holders.length - 1)];
    if (holder === undefined || other === undefined) return json;
    const { parent, name } = holder;
    const value: unknown = Reflect.get(parent, name);
    random.pick(
      () => Reflect.set(parent, name, valueOf(random, value)),
      () => Reflect.set(parent, name, structuredClone(Reflect.get(other.parent, other.name))),
      () => Reflect.deleteProperty(parent, name),
      () => !Array.isArray(parent) && Reflect.set(parent, pieceOf(random).slice(0, 300), structuredClone(value)),
      () => repeatIn(parent, value, random),
    )();
  }
  return json;
}

function valueOf(random: Random, before: unknown): unknown {
  const number = random.pick<unknown>(0, -1, 1.5, 2 ** 31, 2 ** 53, 3e8, 1e300, -1e-9, null);
  const text = typeof before === 'string' ? changedOnce(before, random) : pieceOf(random);
  return random.pick<unknown>(number, number, text, text, null, true, [], {}, [before], { a: before });
}

function repeatIn(parent: object, value: unknown, random: Random): void {
  if (!Array.isArray(parent)) return;
  const most = Math.floor(maxRepeated / (JSON.stringify(value)?.length ?? 1));
  for (let times = Math.min(most, random.pick(1, 10, 300)); times > 0; times -= 1) parent.push(structuredClone(value));
}
