import type { Check } from '../harness/check.ts';
import { paging } from './paging.ts';
import { walking } from './walking.ts';

/** Every check, in the order of the catalogue's areas. */
export const suites: readonly Check[] = [...paging, ...walking];
