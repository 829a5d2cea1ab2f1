import type { LoadRecord } from '../load-record.ts';
import type { Tone } from './tone-mark.ts';

/** What a run amounts to, in a word or two, and in which tone. */
export const resultWords: Readonly<Record<LoadRecord['result'], { readonly word: string; readonly tone: Tone }>> = {
  held: { word: 'Held', tone: 'good' },
  missed: { word: 'Missed', tone: 'bad' },
  unjudged: { word: 'No verdict', tone: 'doubtful' },
  aborted: { word: 'Ended early', tone: 'bad' },
  interrupted: { word: 'Interrupted', tone: 'idle' },
};
