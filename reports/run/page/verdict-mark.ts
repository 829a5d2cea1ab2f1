import { mark, signMarkup } from '../../page/elements.ts';
import type { Markup } from '../../page/markup.ts';
import type { RequirementRecord, RunRecord } from '../../record/record.ts';

type Shown = RequirementRecord['verdict'] | RunRecord['result'];

/** Signs beside the colours, for readers who do not see colours. */
const signs: Readonly<Record<Shown, string>> = {
  passed: '✓',
  failed: '✗',
  warned: '!',
  blocked: '–',
  errored: '?',
  waived: '~',
  accepted: '–',
  unobservable: '·',
  unselected: '·',
  conformant: '✓',
  'conformant-with-gaps': '✓',
  nonconformant: '✗',
  incomplete: '–',
  'no-verdict': '–',
  interrupted: '–',
};

export function verdictSign(verdict: Shown): Markup {
  return signMarkup(signs[verdict]);
}

/** A verdict as a coloured word. */
export function verdictMark(verdict: Shown): Markup {
  return mark(`is-${verdict}`, signs[verdict], verdict);
}
