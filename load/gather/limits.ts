/** Every wait of a coordinator, in milliseconds. */
export type GatherLimits = {
  /** How long the parts may take to register. */
  readonly withinMs: number;
  /** The time between the last clock comparison and the first request, in which the parts prepare their connections. */
  readonly headStartMs: number;
  /** A part asks what to do next. This is how long the coordinator holds the question if its answer has not changed. */
  readonly holdMs: number;
  /** A part that sends nothing for this time is lost. */
  readonly lostMs: number;
  /** The same if its connection ended. */
  readonly cutMs: number;
  /** The same before the start. It is less than the head start, so that the others do not start. */
  readonly cutEarlyMs: number;
  /** How long a part may take to hand over its record when the load is over. */
  readonly handOverMs: number;
  /** The largest uncertainty of a part's clock. With a larger one, the parts cannot start together. */
  readonly mostUncertainMs: number;
  /** How often the coordinator checks these limits. */
  readonly lookMs: number;
};

export const usualLimits: GatherLimits = {
  withinMs: 10 * 60_000,
  headStartMs: 5000,
  holdMs: 10_000,
  lostMs: 30_000,
  cutMs: 10_000,
  cutEarlyMs: 2000,
  handOverMs: 120_000,
  mostUncertainMs: 250,
  lookMs: 500,
};
