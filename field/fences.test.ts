import { expect, test } from 'vitest';
import { fences } from './fences.ts';

test.each([
  ['sh', 'sh', []],
  ['sh exit=4', 'sh', [['exit', '4']]],
  ['sh background', 'sh', [['background', '']]],
  [
    'sh exit=1 skip="needs a cluster, and time"',
    'sh',
    [
      ['exit', '1'],
      ['skip', 'needs a cluster, and time'],
    ],
  ],
  ['yaml file=staging.yaml', 'yaml', [['file', 'staging.yaml']]],
] as const)('the line %s', (info, language, words) => {
  const text = `before\n\n\`\`\`${info}\na\n\nb\n\`\`\`\nafter`;
  expect(fences(text)).toEqual([{ language, words: new Map(words), text: 'a\n\nb\n', line: 3 }]);
});

test('a block without an end is an error', () => {
  expect(() => fences('x\n```sh\nawc run\n')).toThrow('line 2 has no end');
});
