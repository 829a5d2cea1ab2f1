import manifest from '../../package.json' with { type: 'json' };
import { sha256 } from '../../core/sha256.ts';
import { catalogue } from '../../spec/catalogue.ts';
import { specification } from '../../spec/specification.ts';
import type { RunRecord } from './record.ts';

/** Who judges, and by what: two reports with the same digest were judged by the same promises. */
export function identity(): Pick<RunRecord, 'suite' | 'spec'> {
  const digest = sha256(JSON.stringify(catalogue));
  return {
    suite: { name: manifest.name, version: manifest.version },
    spec: { ...specification, digest: `sha256:${digest}` },
  };
}
