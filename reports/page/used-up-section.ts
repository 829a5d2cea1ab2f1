import { capitalized } from '../text/capitalized.ts';
import { type ShownChanges, usedUpLines } from '../text/used-up-lines.ts';
import { section } from './elements.ts';
import { type Markup, markup } from './markup.ts';

/** What a run or a load changed; undefined if it only read. */
export function usedUpSection(usedUp: ShownChanges | undefined): Markup | undefined {
  const lines = usedUp === undefined ? [] : usedUpLines(usedUp);
  if (lines.length === 0) return undefined;
  return section(
    { id: 'used-up', title: 'Used up', lead: 'What the run changed and cannot undo.' },
    markup`<ul>${lines.map((line) => markup`<li>${capitalized(line)}</li>`)}</ul>`,
  );
}
