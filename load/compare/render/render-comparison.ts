import { type Comparison, statedError, type FigureComparison, type Verdict } from '../comparison.ts';
import { seenLoss, sentence } from './sentence.ts';
import { tabulate } from './tabulate.ts';
import { digits, percent, value } from './words.ts';

/** A comparison as lines for a terminal: how it was made, a table, and a sentence for each figure. */
export function renderComparison(comparison: Comparison): readonly string[] {
  const { figures, margin } = comparison;
  const rows = figures.map((each) => row(each, margin));
  return [
    `B against A: ${basis(comparison)}.`,
    '',
    ...tabulate([['', 'A', 'B', 'B/A', `${(1 - statedError) * 100}% interval`, 'noise floor', 'verdict'], ...rows]),
    '',
    ...figures.map((each) => sentence(each, margin)),
  ];
}

function basis({ unit, trials }: Comparison): string {
  switch (unit) {
    case 'round':
      return `${trials.a} ${trials.a === 1 ? 'round' : 'rounds'} of both builds, interleaved`;
    case 'trial':
      return `${trials.a} trials of A and ${trials.b} of B, measured at different times, so a change of the machine looks like a change of the build`;
    case 'stretch':
      return `${trials.a} and ${trials.b} runs, measured at different times; intervals are estimated from their seconds`;
  }
}

function row({ figure, a, b, ratio, verdict, basis }: FigureComparison, margin: number): readonly string[] {
  const interval = basis === undefined ? '–' : `${ratioText(basis.interval.low)} to ${ratioText(basis.interval.high)}`;
  const floor = basis === undefined ? '–' : percent(seenLoss(figure, basis.detectable));
  return [figure, value(figure, a), value(figure, b), ratioText(ratio), interval, floor, verdictText(verdict, margin)];
}

function ratioText(ratio: number): string {
  if (!Number.isFinite(ratio)) return '–';
  return ratio >= 100 || ratio < 0.005 ? digits(ratio) : ratio.toFixed(2);
}

function verdictText({ kind }: Verdict, margin: number): string {
  switch (kind) {
    case 'better':
    case 'worse':
      return kind;
    case 'no-worse':
      return `no worse than ${percent(margin)}`;
    case 'kept-up':
      return 'both kept up';
    case 'cannot-tell':
      return 'cannot tell';
  }
}
