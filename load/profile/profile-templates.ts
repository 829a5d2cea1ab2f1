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
  flow: 'flow',
};

/** The text of a profile that runs with that kind of load. Throws for a kind that is not in {@link templateNames}. */
export function templateOf(kind: string): string {
  const name = Object.hasOwn(templateNames, kind) ? templateNames[kind] : undefined;
  if (name === undefined) throw new Error(`a kind of load that was not checked: ${kind}`);
  return readFileSync(new URL(`${name}.yaml`, shippedFolder), 'utf8');
}
