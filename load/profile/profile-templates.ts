import { readFileSync } from 'node:fs';
import { shippedFolder } from './shipped-folder.ts';

/** A shipped profile of each kind of load, by the name of the kind. */
export const templateNames: Readonly<Record<string, string>> = {
  open: 'steady',
  closed: 'baseline',
  capacity: 'capacity',
  rateLimit: 'rate-limit',
  contention: 'contention',
  longPoll: 'long-poll',
};

/** The text of a profile that runs with that kind of load; undefined for an unknown kind. */
export function templateOf(kind: string): string | undefined {
  const name = templateNames[kind];
  return name === undefined ? undefined : readFileSync(new URL(`${name}.yaml`, shippedFolder), 'utf8');
}
