import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loads, longest, slow } from '../vitest.config.ts';

const cwd = fileURLToPath(new URL('..', import.meta.url));

test.each([...slow, ...loads, ...longest])('%s names tests that are there', (pattern) => {
  expect(globSync(pattern, { cwd })).not.toEqual([]);
});
