import { plainText } from './markdown-text.ts';
import { type ShownChanges, usedUpLines } from './used-up-lines.ts';

/** What a run or a load changed, as blocks of Markdown; none if it only read. */
export function usedUpMarkdown(usedUp: ShownChanges | undefined): readonly string[] {
  const lines = usedUp === undefined ? [] : usedUpLines(usedUp);
  return lines.length === 0 ? [] : ['### Used up', lines.map((line) => `- ${plainText(line, 1000)}`).join('\n')];
}
