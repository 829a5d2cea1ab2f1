import type { RequirementRecord, RunRecord } from '../../record/record.ts';
import { type Markup, markup } from '../../page/markup.ts';

type Shown = RequirementRecord['verdict'] | RunRecord['result'];

/** Shapes as well as colours, for those who do not see the colours. */
const signs: Readonly<Record<Shown, string>> = {
  passed: '✓',
  failed: '✕',
  warned: '!',
  blocked: '–',
  errored: '?',
  waived: '~',
  unobservable: '·',
  unselected: '·',
  conformant: '✓',
  nonconformant: '✕',
  incomplete: '–',
  interrupted: '–',
};

/** The sign of a verdict, which nobody reads aloud. */
export function verdictSign(verdict: Shown): Markup {
  return markup`<span class="sign" aria-hidden="true">${signs[verdict]}</span>`;
}

/** A verdict as a coloured word. */
export function verdictMark(verdict: Shown): Markup {
  return markup`<span class="mark is-${verdict}">${verdictSign(verdict)} ${verdict}</span>`;
}
