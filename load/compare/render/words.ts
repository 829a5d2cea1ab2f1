import { shareBelow, type Figure } from './figure.ts';

/** A latency in microseconds as milliseconds, a throughput in answers a second, each to three digits. */
export function value(figure: Figure, amount: number): string {
  if (!Number.isFinite(amount)) return 'nothing';
  return shareBelow(figure) === undefined ? `${digits(amount)}/s` : `${digits(amount / 1000)} ms`;
}

/** A share as a percentage: one decimal below ten, none above. */
export function percent(share: number): string {
  const amount = Math.abs(share * 100);
  if (amount >= 1000) return 'over 1000%';
  return `${amount < 9.95 ? Number(amount.toFixed(1)) : Math.round(amount)}%`;
}

/** A ratio as what was gained or lost: "12% more", "3% less", "the same". */
export function change(ratio: number): string {
  const share = percent(ratio - 1);
  if (share === '0%') return 'the same';
  return `${share} ${ratio > 1 ? 'more' : 'less'}`;
}

/** An interval of ratios as a range. If both are losses, the smaller one comes first: "9% to 20% less". */
export function range({ low, high }: { readonly low: number; readonly high: number }): string {
  const [first, last] = high < 1 ? [change(high), change(low)] : [change(low), change(high)];
  const [, direction = ''] = first.split('% ');
  return last.endsWith(direction) && direction !== ''
    ? `${first.replace(` ${direction}`, '')} to ${last}`
    : `${first} to ${last}`;
}

export function digits(amount: number): string {
  if (amount >= 100) return String(Math.round(amount));
  return String(Number(amount.toPrecision(3)));
}
