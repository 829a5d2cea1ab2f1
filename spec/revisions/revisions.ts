import type { Revision } from './revision.ts';
import { revision1 } from './revision-1.ts';

/** Every revision there ever was, by its number. */
export const revisions: ReadonlyMap<number, Revision> = new Map([[revision1.number, revision1]]);

/** What a certificate made today speaks of. */
export const currentRevision = revision1;
