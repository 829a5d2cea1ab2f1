/**
 * The day on which each version of the suite was released, `YYYY-MM-DD`. Certificates stay valid for 12 months after it at least.
 * A version that is not here is under development: its builds may judge differently.
 */
export const releases: ReadonlyMap<string, string> = new Map();
