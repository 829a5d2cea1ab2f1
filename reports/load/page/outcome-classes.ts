import { type LoadOutcomeRecord, outcomeClassSchema } from '../load-record.ts';

/** From what was wanted to what nobody wants. */
export const outcomeClasses = outcomeClassSchema.options;

/** What each class is called among people. */
export const outcomeClassNames: Readonly<Record<LoadOutcomeRecord['class'], string>> = {
  ok: 'succeeded',
  rateLimited: 'rate limited (429)',
  conflict: 'chat busy (409)',
  refused: 'refused (4xx)',
  failed: 'failed (5xx)',
  timeout: 'timed out',
  transport: 'no connection',
};
