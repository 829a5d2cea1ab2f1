import { createdOnceRules } from './created-once.ts';
import { deletionRules } from './deletions.ts';
import { repetitionRules } from './repetitions.ts';
import { sameRecordRules } from './same-records.ts';
import type { Rule } from '../seen.ts';
import { walkRules } from './walks.ts';

/** Every promise about several exchanges that a recording can show. */
export const rules: readonly Rule[] = [
  ...walkRules,
  ...sameRecordRules,
  ...createdOnceRules,
  ...deletionRules,
  ...repetitionRules,
];
