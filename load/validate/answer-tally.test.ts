import { expect, test } from 'vitest';
import { createAnswerTally } from './answer-tally.ts';

test('an answer that equals a good one counts as checked, one that is left out does not', () => {
  const tally = createAnswerTally();
  for (let answers = 0; answers < 7; answers += 1) tally.countAnswer();
  tally.countRepeated(3);
  tally.countRepeated(1);
  tally.countSkipped(2);
  expect(tally.result()).toMatchObject({ answers: 7, checked: 4, repeated: 4, skipped: 2, broken: 0, findings: 0 });
});
