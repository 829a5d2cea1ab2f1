type Idle = Readonly<Record<string, readonly string[]>>;

/** Choices under which no two IDs differ only in case. */
export const withoutTwins: Idle = {
  ids: ['uuid', 'number', 'per-organization', 'slash', 'space', 'percent', 'unicode', 'reserved', 'long', 'dots'],
  models: ['0', '1', '3'],
  sources: ['0', '1', '3'],
};

/** Choices under which messages do not name their parents. */
export const withoutParents: Idle = {
  'message-fields': ['few'],
  parent: ['never'],
};

/** Choices of the assistant under which no response outlasts a wait. */
export const neverOutlastsWait = [
  'at-once',
  'slow-is-quick',
  'slow-is-half-a-second',
  'moody',
  'always-300-ms',
  'always-1-s',
] as const;

/** The same, and those under which a response outlasts a wait by less than an answer may be late. */
export const hardlyOutlastsWait = [...neverOutlastsWait, 'always-1200-ms'] as const;

/** The choice under which a repeated request is shown its first answer, whatever happened since. */
export const firstAnswerRepeated = { 'replay-form': ['original'] } as const;

/** Choices under which the window of the rate limit does not reset at once. */
export const buckets = ['bucket', 'bucket-until-full', 'spaced'];

/** Choices under which retryAfterMs cannot be compared with the window. */
export const withoutWindow = { pace: ['sluggish'], 'rate-window': buckets };
