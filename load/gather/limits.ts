/** Every wait of a coordinator, in milliseconds. */
export type GatherLimits = {
  /** How long the parts may take to register. */
  readonly withinMs: number;
  /** From the last clock to the first request: the parts learn of the start and prepare their connections. */
  readonly headStartMs: number;
  /** How long a part's question is held before it gets the same answer again. */
  readonly holdMs: number;
  /** A part that says nothing for as long is lost. */
  readonly lostMs: number;
  /** The same if its connection ended. */
  readonly cutMs: number;
  /** The same before the start. It is less than the head start, so that the others do not start. */
  readonly cutEarlyMs: number;
  /** How long a part may take to hand over its record when the load is over. */
  readonly handOverMs: number;
  /** A start cannot be aligned if the clock of a part may be wrong by more. */
  readonly mostUncertainMs: number;
  /** How often these are looked at. */
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
