/** A run in progress, beside its record so far. */
export type LiveRun = {
  /** The number of checks of each area that the run is to judge. */
  readonly planned: ReadonlyMap<string, number>;
};

export function plannedChecks({ planned }: LiveRun): number {
  return [...planned.values()].reduce((sum, checks) => sum + checks, 0);
}
