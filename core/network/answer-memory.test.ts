import { expect, test } from 'vitest';
import { connect, failing, serve } from '../../testing/network/network-servers.ts';
import type { HttpResponse } from '../http.ts';
import { createAnswerMemory } from './answer-memory.ts';
import { createTransfers } from './transfers.ts';

const mebibyte = 1024 * 1024;
const large = Buffer.alloc(8 * mebibyte, 'x');

function answer(body: Uint8Array): HttpResponse {
  return { status: 200, headers: {}, body };
}

test('a run that keeps every answer gets no more than its memory holds', { timeout: 60_000 }, async () => {
  let turn = 0;
  const other = () => Buffer.concat([Buffer.from(`${(turn += 1)}`), large]);
  const send = connect(await serve((_request, response) => response.end(other())));
  const kept: HttpResponse[] = [];
  const keepAll = async (): Promise<void> => {
    for (let times = 0; times < 24; times += 1) kept.push(await send());
  };
  await expect(keepAll()).rejects.toEqual(failing('too-large', /the run still needs/));
  expect(kept.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThanOrEqual(56 * mebibyte);
});

test('headers and the path of the request count too', () => {
  const path = `/${'x'.repeat(60 * mebibyte)}`;
  const small = createAnswerMemory();
  const answers = [answer(Buffer.alloc(1)), answer(Buffer.alloc(1))] as const;
  small.count(answers[0], { path });
  expect(() => small.count(answers[1], { path })).toThrow(/the run still needs/);
  const memory = createAnswerMemory();
  const many = { status: 200, headers: { 'x-filler': 'x'.repeat(60 * mebibyte) }, body: Buffer.alloc(0) };
  memory.count(many, { path: '/' });
  expect(() => memory.count({ ...many }, { path: '/' })).toThrow(/the run still needs/);
});

test('answers that nothing refers to do not count', async () => {
  const memory = createAnswerMemory();
  for (let times = 0; times < 24; times += 1) {
    memory.count(answer(Buffer.alloc(8 * mebibyte)), { path: '/' });
    await new Promise((resolve) => setImmediate(resolve));
  }
});

test('a body that takes much more memory than its bytes is too large', () => {
  const memory = createAnswerMemory();
  expect(() => memory.count(answer(Buffer.from(`[${'{},'.repeat(700_000)}0]`)), { path: '/' })).toThrow(
    /more than 1000000 names/,
  );
  memory.count(answer(Buffer.from(JSON.stringify({ data: Array.from({ length: 100_000 }, () => 'a,b:c[d{') }))), {
    path: '/',
  });
});

/** A page of models with sixty columns each, in JSON. */
function pageOf(models: number, cursor: string): Buffer {
  const column = {
    name: 'revenue',
    type: 'number',
    nullable: true,
    example: 1,
    sampleValues: [1, 2, 3],
    description: 'd',
  };
  const model = { id: 'mdl_1', sqlQuery: 'select 1', columns: Array.from({ length: 60 }, () => column) };
  return Buffer.from(JSON.stringify({ data: Array.from({ length: models }, () => model), pagination: { cursor } }));
}

test('a run keeps twenty pages of models with sixty columns each', () => {
  const memory = createAnswerMemory();
  const kept = Array.from({ length: 20 }, () => answer(pageOf(100, 'c')));
  for (const one of kept) memory.count(one, { path: '/' });
});

test('a run keeps two hundred pages that show the same models in different ways', () => {
  const memory = createAnswerMemory();
  const kept = Array.from({ length: 200 }, (_, at) => answer(pageOf(40, `${at}`)));
  for (const one of kept) memory.count(one, { path: '/' });
});

test('the signs of JSON within a text are no values', () => {
  const memory = createAnswerMemory();
  const signs = ',:[{'.repeat(400_000);
  const kept = [`{"sql":"${signs}"}`, `{"sql":"\\"${signs}\\\\","more":[1,2]}`].map((text) =>
    answer(Buffer.from(text)),
  );
  for (const one of kept) memory.count(one, { path: '/' });
  const values = `{"sql":"\\\\","list":[${'{},'.repeat(700_000)}0]}`;
  expect(() => memory.count(answer(Buffer.from(values)), { path: '/' })).toThrow(/more than 1000000 names/);
});

test('as many large bodies arrive at a time as fit, and one that is larger alone', async () => {
  const open = createTransfers(10);
  const begun: string[] = [];
  const [first, second, third, fourth] = [open(), open(), open(), open()];
  const begin = (name: string, transfer: ReturnType<typeof open>, bytes: number) =>
    void transfer.begin(bytes).then(() => begun.push(name));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  begin('first', first, 6);
  begin('second', second, 4);
  begin('third', third, 30);
  begin('fourth', fourth, 1);
  await turn();
  expect(begun).toEqual(['first', 'second']);
  first.end();
  await turn();
  expect(begun).toEqual(['first', 'second']);
  second.end();
  await turn();
  expect(begun).toEqual(['first', 'second', 'third']);
  fourth.end();
  third.end();
  expect(await open().begin(10)).toBeUndefined();
});

/** A page of models of about 60 kB each, with other models from that place on. */
function pageFrom(first: number, count: number): Buffer {
  const columns = Array.from({ length: 60 }, (_, index) => ({ name: `c${index}`, description: 'd'.repeat(1000) }));
  const data = Array.from({ length: count }, (_, index) => ({ id: `mdl_${first + index}`, columns }));
  return Buffer.from(JSON.stringify({ data, pagination: { hasMore: true } }));
}

test('pages of the same large models count each model once, and equal pages count once', () => {
  const memory = createAnswerMemory();
  const kept: HttpResponse[] = [];
  for (const [first, count] of [
    [0, 100],
    [0, 50],
    [50, 50],
    [0, 64],
    [64, 36],
    [1, 99],
  ] as const)
    kept.push(memory.count(answer(pageFrom(first, count)), { path: '/' }));
  const again = pageFrom(0, 100);
  for (let times = 0; times < 12; times += 1) kept.push(memory.count(answer(Buffer.from(again)), { path: '/' }));
  expect(new Set(kept.map(({ body }) => body)).size).toBe(6);
  const others = () => {
    for (let first = 1000; first < 2000; first += 100)
      kept.push(memory.count(answer(pageFrom(first, 100)), { path: '/' }));
  };
  expect(others).toThrow(/the run still needs/);
});
