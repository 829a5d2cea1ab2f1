import { existsSync } from 'node:fs';
import type { Waivers } from '../reports/record/waivers.ts';
import type { Environment } from '../targets/interpolate.ts';
import { parseFile } from '../targets/parse-file.ts';
import { readBounded } from '../targets/read-bounded.ts';
import { TargetFileError } from '../targets/target-file-error.ts';
import { type WaiverFile, waiverFileSchema } from './waiver-schema.ts';
import { type Waivable, waiverSenseProblems } from './waiver-sense.ts';

/** Reads a waiver file. Throws TargetFileError with every problem. */
export function loadWaivers(path: string, environment: Environment, waivable: readonly Waivable[]): Waivers {
  if (!existsSync(path)) throw new TargetFileError(path, [{ message: 'there is no such waiver file' }]);
  return parseWaivers(readBounded(path), path, environment, waivable);
}

/** As {@link loadWaivers}, for the text of a file; errors call it `file`. */
export function parseWaivers(
  text: string,
  file: string,
  environment: Environment,
  waivable: readonly Waivable[],
): Waivers {
  const sense = (value: WaiverFile) => waiverSenseProblems(value, waivable);
  const kind = { name: 'a waiver file', schema: waiverFileSchema, sense };
  const { value, lineOf } = parseFile(text, file, environment, kind);
  const { waivers, acceptedGaps } = value;
  const at = (list: keyof WaiverFile, index: number) => ({ writtenAt: { file, line: lineOf([list, index]) } });
  return {
    waivers: waivers.map((waiver, index) => ({ ...waiver, ...at('waivers', index) })),
    acceptedGaps: acceptedGaps.map((gap, index) => ({ ...gap, ...at('acceptedGaps', index) })),
  };
}
