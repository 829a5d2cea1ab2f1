import { answerParsers } from './answers.ts';
import { fileParsers } from './files.ts';
import type { Parser } from './input.ts';
import { recordParsers } from './records.ts';

/** Everything that reads untrusted input. */
export const parsers: readonly Parser[] = [...fileParsers, ...recordParsers, ...answerParsers];
