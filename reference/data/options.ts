/** The form of the seeded data. Plain values, so that worlds with equal options share one set of records. */
export type DataOptions = {
  /** Models of the main organization. */
  readonly models: number;
  /** Data sources of the main organization. Without any, it has no models either. */
  readonly sources: number;
  /** How many of them may be deleted, at most one in three. */
  readonly disposableSources: number;
  readonly chats: number;
  /** How many of the organizations that may be attached belong to the first account; the others belong to another one of its owner. */
  readonly attachableToFirst: number;
  readonly createdAt: 'tied-at-borders' | 'all-equal' | 'distinct';
  readonly nullable: 'mixed' | 'null' | 'set';
  /** Fields that may be absent. */
  readonly optional: 'mixed' | 'absent' | 'present';
  readonly texts: 'boundaries' | 'short' | 'long-astral';
  readonly ids: IdSyntax;
  readonly timestamps: TimestampForm;
  readonly extraFields: 'none' | 'scalars' | 'nested';
  /** Values of the enumerations that the specification does not list. */
  readonly words: 'upper' | 'lower' | 'unheard-of';
};

export type IdSyntax =
  | 'mixed'
  | 'uuid'
  | 'number'
  | 'per-organization'
  | 'slash'
  | 'space'
  | 'percent'
  | 'unicode'
  | 'reserved'
  | 'long'
  | 'dots';

export type TimestampForm = 'milliseconds' | 'seconds' | 'microseconds' | 'offset' | 'zero-offset' | 'uneven';

export const defaultDataOptions: DataOptions = {
  models: 130,
  sources: 112,
  disposableSources: 8,
  chats: 8,
  attachableToFirst: 7,
  createdAt: 'tied-at-borders',
  nullable: 'mixed',
  optional: 'mixed',
  texts: 'boundaries',
  ids: 'mixed',
  timestamps: 'milliseconds',
  extraFields: 'none',
  words: 'upper',
};
