import { type Comparison, familyError, type FigureComparison, type Verdict } from './comparison.ts';
import { sentence } from './sentence.ts';
import { tabulate } from './tabulate.ts';
import { digits, percent, value } from './words.ts';

/** A comparison as lines for a terminal: how it was made, a table, and a sentence for each figure. */
export function renderComparison(comparison: Comparison): readonly string[] {
  const { figures, margin } = comparison;
  const rows = figures.map((each) => row(each, margin));
  return [
    `B against A: ${basis(comparison)}.`,
    '',
    ...tabulate([['', 'A', 'B', 'B/A', `${percent(1 - familyError)} interval`, 'A/A noise', 'verdict'], ...rows]),
    '',
    ...figures.map((each) => sentence(each, margin)),
  ];
}

function basis({ unit, trials }: Comparison): string {
  switch (unit) {
    case 'round':
      return `${trials.a} rounds of both builds, interleaved`;
    case 'trial':
      return `${trials.a} trials of A and ${trials.b} of B, measured apart, so that a change of the machine looks like one of the build`;
    case 'stretch':
      return `${trials.a} and ${trials.b} runs, measured apart; intervals are from their seconds`;
  }
}

function row(each: FigureComparison, margin: number): readonly string[] {
  const { figure, a, b, ratio, interval, detectable, verdict } = each;
  return [
    figure,
    value(figure, a),
    value(figure, b),
    ratioText(ratio),
    `${ratioText(interval.low)} to ${ratioText(interval.high)}`,
    detectable === undefined ? '?' : percent(detectable),
    verdictText(verdict, margin),
  ];
}

function ratioText(ratio: number): string {
  if (!Number.isFinite(ratio)) return '?';
  return ratio >= 100 || ratio < 0.005 ? digits(ratio) : ratio.toFixed(2);
}

function verdictText({ kind }: Verdict, margin: number): string {
  switch (kind) {
    case 'better':
    case 'worse':
      return kind;
    case 'no-worse':
      return `no worse than ${percent(margin)}`;
    case 'cannot-tell':
      return 'cannot tell';
  }
}
