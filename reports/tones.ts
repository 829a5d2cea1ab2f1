import type { Tone } from './paint.ts';
import type { CheckVerdict } from './record.ts';

/** How each verdict looks. */
export const tones: Readonly<Record<CheckVerdict, Tone>> = {
  passed: 'good',
  failed: 'bad',
  warned: 'doubtful',
  blocked: 'doubtful',
  errored: 'bad',
};
