/** The six operations of section 4, by the names used throughout the suite. */
export const operations = [
  'listModels',
  'sendMessage',
  'attachOrganization',
  'getBillingAccount',
  'listDataSources',
  'deleteDataSource',
] as const;

export type Operation = (typeof operations)[number];

/** `must`: the specification says it, or could not be true otherwise. `should`: good sense; a legal deployment may differ. */
export type Level = 'must' | 'should';

/** One promise of the specification. */
export type Requirement = {
  /** Stable, `area.name`: it never changes its meaning; a changed promise gets a new id. */
  readonly id: string;
  /** The section of the specification that says it, such as `4.2`. */
  readonly section: string;
  readonly level: Level;
  readonly operations: readonly Operation[];
  /** One sentence, in the suite's own words. */
  readonly sentence: string;
  /** Why no caller of the six operations can observe it; such a requirement has no check. */
  readonly unobservable?: string;
};

/** Something the specification leaves open: what a deployment chose is recorded as a fact and never judged. */
export type OpenPoint = {
  /** Stable, `area.name`. */
  readonly point: string;
  readonly section: string;
  readonly sentence: string;
};
