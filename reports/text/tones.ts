import type { Tone } from './paint.ts';
import type { RunRecord } from '../record/record.ts';
import type { Standing } from '../record/standing.ts';

/** How each standing of a check looks. */
export const tones: Readonly<Record<Standing, Tone>> = {
  passed: 'good',
  failed: 'bad',
  warned: 'doubtful',
  blocked: 'doubtful',
  errored: 'bad',
  waived: 'doubtful',
};

/** How each result of a run looks. */
export const resultTones: Readonly<Record<RunRecord['result'], Tone>> = {
  conformant: 'good',
  waived: 'good',
  nonconformant: 'bad',
  incomplete: 'doubtful',
  errored: 'bad',
  interrupted: 'doubtful',
};
