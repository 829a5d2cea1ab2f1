import type { Revision } from './revision.ts';
import { revision1 } from './revision-1.ts';

/** Every revision, by its number. */
export const revisions: ReadonlyMap<number, Revision> = new Map([[revision1.number, revision1]]);

/** The revision of new certificates. */
export const currentRevision = revision1;
