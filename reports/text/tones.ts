import type { CheckStatus } from '../record/check-status.ts';
import type { RunRecord } from '../record/record.ts';

/** How something was judged, which decides its colour and its sign. */
export type Tone = 'good' | 'bad' | 'doubtful' | 'idle';

/** A sign beside the colour, for readers who do not see colours. */
export const toneSigns: Readonly<Record<Tone, string>> = { good: '✓', bad: '✗', doubtful: '?', idle: '–' };

export const checkTones: Readonly<Record<CheckStatus, Tone>> = {
  passed: 'good',
  failed: 'bad',
  warned: 'doubtful',
  blocked: 'doubtful',
  errored: 'bad',
  waived: 'doubtful',
  accepted: 'idle',
};

export const resultTones: Readonly<Record<RunRecord['result'], Tone>> = {
  conformant: 'good',
  'conformant-with-gaps': 'good',
  waived: 'good',
  nonconformant: 'bad',
  incomplete: 'doubtful',
  'no-verdict': 'doubtful',
  errored: 'bad',
  interrupted: 'doubtful',
};
