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

/** `must`: the specification says or implies it. `should`: good sense; a legal deployment may differ. */
export type Level = 'must' | 'should';

/** One requirement of the specification. */
export type Requirement<Id extends string = string> = {
  /** Stable, `prefix.name`: its meaning never changes; a changed requirement gets a new id. */
  readonly id: Id;
  /** The section of the specification that says it, such as `4.2`. */
  readonly section: string;
  readonly level: Level;
  readonly operations: readonly Operation[];
  /** One sentence, in the suite's own words. */
  readonly sentence: string;
  /** Why no caller of the six operations can observe it; such a requirement has no check. */
  readonly unobservable?: string;
};

/** The arguments are the fields of {@link Requirement}, without its level. */
type Constructor = <const Id extends string>(
  id: Id,
  section: string,
  operations: Operation | readonly Operation[],
  sentence: string,
  unobservable?: string,
) => Requirement<Id>;

export const must = constructorOf('must');
export const should = constructorOf('should');

function constructorOf(level: Level): Constructor {
  return (id, section, concerned, sentence, unobservable) => ({
    id,
    section,
    level,
    operations: typeof concerned === 'string' ? [concerned] : concerned,
    sentence,
    ...(unobservable === undefined ? {} : { unobservable }),
  });
}
