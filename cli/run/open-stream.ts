import { closeSync, openSync, writeSync } from 'node:fs';
import type { RunEvent } from '../../reports/record/run-event.ts';
import { safeJsonLine } from '../../reports/text/safe-json.ts';
import type { Context } from '../shared/context.ts';
import { cannotWrite } from '../shared/write-whole.ts';

/** Where the events of a run go. */
type EventStream = {
  readonly write: (event: RunEvent) => void;
  /** Throws UserError if anything could not be written. */
  readonly close: () => void;
};

/** A stream to a file, to standard output if the path is `-`, or to nowhere without one. */
export function openStream(path: string | undefined, { data }: Pick<Context, 'data'>): EventStream {
  if (path === undefined) return { write: () => undefined, close: () => undefined };
  if (path === '-') return { write: (event) => void data.write(safeJsonLine(event)), close: () => undefined };
  return fileStream(path);
}

/** Each line is in the file when `write` returns, so readers can follow it and a crash loses nothing. */
function fileStream(path: string): EventStream {
  let broken: Error | undefined;
  const attempt = <T>(act: () => T): T | undefined => {
    try {
      return act();
    } catch (error) {
      broken ??= cannotWrite(path, error);
      return undefined;
    }
  };
  const file = attempt(() => openSync(path, 'w'));
  if (file === undefined) throw broken ?? cannotWrite(path, undefined);
  return {
    // A full disk must not lose the verdict, so the error is thrown when the run ends.
    write: (event) => {
      if (broken === undefined) attempt(() => writeAll(file, Buffer.from(safeJsonLine(event))));
    },
    close: () => {
      attempt(() => closeSync(file));
      if (broken !== undefined) throw broken;
    },
  };
}

/** A pipe may accept only part of the bytes at once. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}
