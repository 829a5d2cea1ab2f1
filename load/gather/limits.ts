/** Every wait of a coordinator, in milliseconds. */
export const usualLimits = {
  /** How long the parts may take to register. */
  withinMs: 10 * 60_000,
  /** The time between the last clock comparison and the first request, in which the parts prepare their connections. */
  headStartMs: 5000,
  /** A part asks what to do next. This is how long the coordinator holds the question if its answer has not changed. */
  holdMs: 10_000,
  /** A part that sends nothing for this time is lost. */
  lostMs: 30_000,
  /** The same if its connection ended. */
  cutMs: 10_000,
  /** The same before the start. It is less than the head start, so that the others do not start. */
  cutEarlyMs: 2000,
  /** How long a part may take to hand over its record when the load is over. */
  handOverMs: 120_000,
  /** The largest uncertainty of a part's clock. With a larger one, the parts cannot start together. */
  mostUncertainMs: 250,
  /** How often the coordinator checks these limits. */
  lookMs: 500,
};

export type GatherLimits = Readonly<typeof usualLimits>;
