import type { Fact, LoadThresholdRecord } from '../load-record.ts';
import type { Tone } from './tone-mark.ts';

export const thresholdTones: Readonly<Record<LoadThresholdRecord['verdict'], Tone>> = {
  held: 'good',
  missed: 'bad',
  unjudged: 'doubtful',
};

export const factTones: Readonly<Record<NonNullable<Fact['verdict']>, Tone>> = {
  good: 'good',
  bad: 'bad',
  unclear: 'doubtful',
};
