import manifest from '../../package.json' with { type: 'json' };
import { sha256 } from '../../core/hash.ts';
import { catalogue } from '../../spec/catalogue.ts';
import type { Level } from '../../spec/requirement.ts';
import { specification } from '../../spec/specification.ts';
import type { RunRecord } from './record.ts';

/**
 * Who judges, and by what: two reports with the same digest were judged by the same promises. `levels` are those that a
 * requirement had earlier.
 */
export function identity(levels: ReadonlyMap<string, Level> = new Map()): Pick<RunRecord, 'suite' | 'spec'> {
  const judged = catalogue.map((one) => ({ ...one, level: levels.get(one.id) ?? one.level }));
  const digest = sha256(JSON.stringify(judged));
  return {
    suite: { name: manifest.name, version: manifest.version },
    spec: { ...specification, digest: `sha256:${digest}` },
  };
}
