import type { Tone } from './paint.ts';
import type { CheckVerdict, RunRecord } from './record.ts';

/** How each verdict looks. */
export const tones: Readonly<Record<CheckVerdict, Tone>> = {
  passed: 'good',
  failed: 'bad',
  warned: 'doubtful',
  blocked: 'doubtful',
  errored: 'bad',
};

/** How each result of a run looks. */
export const resultTones: Readonly<Record<RunRecord['result'], Tone>> = {
  conformant: 'good',
  nonconformant: 'bad',
  incomplete: 'doubtful',
  errored: 'bad',
  interrupted: 'doubtful',
};
