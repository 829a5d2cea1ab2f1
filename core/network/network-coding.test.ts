import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeBody } from './network-coding.ts';

const text = '{"data":[]}';
const decoded = async (body: Uint8Array, coding: string) =>
  Buffer.from(await decodeBody(body, coding, 1000)).toString();

test('codings are undone in reverse order, in any case, and identity is none', async () => {
  expect(await decoded(Buffer.from(text), '')).toBe(text);
  expect(await decoded(Buffer.from(text), 'identity')).toBe(text);
  expect(await decoded(gzipSync(deflateSync(text)), 'Deflate, identity,, GZIP')).toBe(text);
  expect(await decoded(deflateRawSync(text), 'deflate')).toBe(text);
  expect(await decoded(new Uint8Array(), 'gzip')).toBe('');
});

test('a body with many codings, or with one that no request asks for, is refused', async () => {
  const four = gzipSync(gzipSync(gzipSync(gzipSync(text))));
  expect(await decoded(four, 'gzip, gzip, gzip, gzip')).toBe(text);
  await expect(decoded(gzipSync(four), 'gzip, gzip, gzip, gzip, gzip')).rejects.toThrow('5 content codings');
  await expect(decoded(Buffer.from(text), 'compress')).rejects.toThrow('no request asks for: "compress"');
});
