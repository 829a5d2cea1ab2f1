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

/** A sentence; with it, the reason why no caller can observe the requirement. */
type Sentence = string | readonly [sentence: string, unobservable: string];

/** Requirements of one section about the same operations, by their ids. */
type Group = <const Id extends string>(
  section: string,
  operations: Operation | readonly Operation[],
  sentences: Readonly<Record<Id, Sentence>>,
) => readonly Requirement<Id>[];

export const must = groupOf('must');
export const should = groupOf('should');

function groupOf(level: Level): Group {
  return (section, concerned, sentences) => {
    const operations = typeof concerned === 'string' ? [concerned] : concerned;
    const group = [];
    for (const id in sentences) {
      const written: Sentence = sentences[id];
      const [sentence, unobservable] = typeof written === 'string' ? [written] : written;
      const reason = unobservable === undefined ? {} : { unobservable };
      group.push({ id, section, level, operations, sentence, ...reason });
    }
    return group;
  };
}
