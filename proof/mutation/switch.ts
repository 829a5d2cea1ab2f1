/** The instrumented code reads its active mutant from this object, and counts here. */
type Switch = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { perTest: Record<string, Record<string, number>>; static: Record<string, number> };
  hitCount?: number;
  hitLimit?: number;
};

declare global {
  /** Made by the instrumented code. */
  var __stryker__: Switch;
}
