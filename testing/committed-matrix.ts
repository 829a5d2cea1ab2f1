import { readFileSync } from 'node:fs';
import { type KnownRow, readMatrix } from '../proof/matrix-text.ts';

/** The text of the committed kill matrix. */
export const committedMatrix: string = readFileSync(new URL('../proof/kill-matrix.txt', import.meta.url), 'utf8');

export const committedRows: readonly KnownRow[] = readMatrix(committedMatrix);
