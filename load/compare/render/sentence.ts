import { type Basis, type FigureComparison, marginError } from '../comparison.ts';
import type { Figure } from './figure.ts';
import { change, percent, range, value } from './words.ts';

/** What a comparison says of one figure: the verdict, and what it rests on. Never a bare percentage. */
export function sentence({ figure, a, b, verdict, basis, trialToTrial }: FigureComparison, margin: number): string {
  const values = `A ${value(figure, a)}, B ${value(figure, b)}`;
  if (basis === undefined) {
    const reason = verdict.kind === 'cannot-tell' ? verdict.reason : undefined;
    return `${figure}: cannot tell. ${values}${reason === undefined ? '' : `; ${reason}`}.`;
  }
  switch (verdict.kind) {
    case 'better':
    case 'worse':
      return `${figure} is ${verdict.kind}: ${values}, ${between(basis)}.`;
    case 'no-worse':
      return `${figure} is no worse than ${percent(margin)}: ${values}, ${atWorst(figure, basis)}.`;
    case 'cannot-tell':
      return (
        `${figure}: cannot tell. ${values}, ${between(basis)}. ` +
        `${noise(figure, trialToTrial, basis)}${more(basis, margin)}`
      );
  }
}

/** The smaller change first where both go down, so that "9% to 20% less" reads as it is spoken. */
function between({ interval: { low, high } }: Basis): string {
  return high < 1 ? range(high, low) : range(low, high);
}

function atWorst(figure: Figure, { atWorst: loss, power }: Basis): string {
  const bound = loss <= 1 ? 'no worse at all' : `at worst ${change(figure === 'throughput' ? 1 / loss : loss)}`;
  const confidence = `${Math.round((1 - marginError) * 100)}% confidence`;
  return `${bound} (${confidence}; equal builds are found so in ${Math.floor(power * 100)} of 100 comparisons)`;
}

function noise(figure: Figure, trialToTrial: number | undefined, { detectable }: Basis): string {
  const single = trialToTrial === undefined ? '' : `${figure} of one trial varies by ${percent(trialToTrial)}: `;
  return `${single}this comparison can see ${percent(seenLoss(figure, detectable))}, nothing less.`;
}

/** A throughput that is half of what it was is twice as bad: as a loss it counts 50%, and never more than 100%. */
export function seenLoss(figure: Figure, detectable: number): number {
  return figure === 'throughput' ? 1 - 1 / (1 + detectable) : detectable;
}

function more({ roundsToTell }: Basis, margin: number): string {
  if (roundsToTell === undefined) return '';
  return ` After ${roundsToTell} rounds an equal build is called no worse than ${percent(margin)}.`;
}
