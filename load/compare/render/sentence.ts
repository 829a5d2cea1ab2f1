import { type Basis, type FigureComparison, statedError } from '../comparison.ts';
import type { Shortfall } from '../trial.ts';
import type { Figure } from './figure.ts';
import { change, percent, range, value } from './words.ts';

/** The verdict on one figure with its evidence. */
export function sentence({ figure, a, b, verdict, basis, trialToTrial }: FigureComparison, margin: number): string {
  const values = `A ${value(figure, a)}, B ${value(figure, b)}`;
  if (verdict.kind === 'kept-up') {
    return `${figure} is not compared: both builds kept up with the load (${values}, ${missing(verdict.shortfall)}).`;
  }
  if (basis === undefined) {
    const reason = verdict.kind === 'cannot-tell' ? verdict.reason : undefined;
    return `${figure}: cannot tell. ${values}${reason === undefined ? '' : `; ${reason}`}.`;
  }
  switch (verdict.kind) {
    case 'better':
    case 'worse':
      return `${figure} is ${verdict.kind}: ${values}, ${range(basis.interval)}.`;
    case 'no-worse':
      return `${figure} is no worse than ${percent(margin)}: ${values}, ${atWorst(figure, basis)}.`;
    case 'cannot-tell':
      return (
        `${figure}: cannot tell. ${values}, ${range(basis.interval)}. ` +
        `${noise(figure, trialToTrial, basis)}${more(basis, margin)}`
      );
  }
}

function missing({ missing: share, beyondChance }: Shortfall): string {
  return `at most ${percent(share)} missing in every run, ${percent(beyondChance)} beyond chance`;
}

function atWorst(figure: Figure, { interval, power }: Basis): string {
  const bound = change(figure === 'throughput' ? interval.low : interval.high);
  const confidence = `${Math.round((1 - statedError) * 100)}% confidence`;
  return `at worst ${bound} (${confidence}; an equal build gets this verdict in ${Math.floor(power * 100)} of 100 comparisons)`;
}

function noise(figure: Figure, trialToTrial: number | undefined, { detectable }: Basis): string {
  const single = trialToTrial === undefined ? '' : `${figure} of one trial varies by ${percent(trialToTrial)}: `;
  return `${single}this comparison detects changes of ${percent(seenLoss(figure, detectable))} or more.`;
}

/** Half the throughput is a ratio of 2, but a loss of 50%: a loss of throughput is never more than 100%. */
export function seenLoss(figure: Figure, detectable: number): number {
  return figure === 'throughput' ? 1 - 1 / (1 + detectable) : detectable;
}

function more({ roundsToTell }: Basis, margin: number): string {
  if (roundsToTell === undefined) return '';
  return ` After ${roundsToTell} rounds an equal build is called no worse than ${percent(margin)}.`;
}
