import { type FigureComparison, marginError } from './comparison.ts';
import { change, percent, range, value } from './words.ts';

/** What a comparison says of one figure: the verdict, and what it rests on. Never a bare percentage. */
export function sentence(comparison: FigureComparison, margin: number): string {
  const { figure, a, b, interval, verdict } = comparison;
  const values = `${value(figure, a)} before, ${value(figure, b)} now`;
  switch (verdict.kind) {
    case 'better':
    case 'worse':
      return `${figure} is ${verdict.kind}: ${values}, ${ordered(interval)}.`;
    case 'no-worse':
      return `${figure} is no worse than ${percent(margin)}: ${values}, ${atWorst(comparison)}${ableTo(comparison)}.`;
    case 'cannot-tell':
      return verdict.reason === undefined
        ? `${figure}: cannot tell. ${values}, ${ordered(interval)}.${noise(comparison)}${more(comparison, margin)}`
        : `${figure}: cannot tell. ${values}; ${verdict.reason}.`;
  }
}

/** The smaller change first where both go down, so that "9% to 20% less" reads as it is spoken. */
function ordered({ low, high }: FigureComparison['interval']): string {
  return high < 1 ? range(high, low) : range(low, high);
}

function atWorst({ figure, atWorst: loss }: FigureComparison): string {
  const certainty = `with ${Math.round((1 - marginError) * 100)}% confidence`;
  const ratio = figure === 'throughput' ? 1 / loss : loss;
  const good = loss <= 1;
  return good ? `not worse at all ${certainty}` : `at worst ${change(ratio)} ${certainty}`;
}

function ableTo({ power }: FigureComparison): string {
  return power === undefined ? '' : ` (so found in ${Math.floor(power * 100)} of 100 comparisons of equal builds)`;
}

function noise({ figure, detectable, trialToTrial }: FigureComparison): string {
  if (detectable === undefined) return '';
  const single = trialToTrial === undefined ? '' : `${figure} of one trial varies by ${percent(trialToTrial)}: `;
  // A throughput that is half as much is twice as bad, and no throughput can be 120% less.
  const seen = figure === 'throughput' ? 1 - 1 / (1 + detectable) : detectable;
  const text = `${single}this comparison can see ${percent(seen)}, nothing less.`;
  return ` ${text}`;
}

function more({ roundsToTell }: FigureComparison, margin: number): string {
  if (roundsToTell === undefined) return '';
  return ` With ${roundsToTell} rounds an equal build would be called no worse than ${percent(margin)}.`;
}
