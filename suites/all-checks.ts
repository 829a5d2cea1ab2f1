import type { Check } from '../engine/check.ts';
import { suites } from './index.ts';
import { ownChecks } from './own-checks.ts';

/** The checks of the suite and then, where a folder is named, the vendor's own in it. Rejects with OwnChecksError. */
export async function allChecks(folder: string | undefined): Promise<readonly Check<string>[]> {
  return folder === undefined ? suites : [...suites, ...(await ownChecks(folder))];
}
