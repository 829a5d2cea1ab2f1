import { readFileSync } from 'node:fs';
import { loadKinds } from '../kinds/kinds.ts';
import { shippedFolder } from './shipped-folder.ts';

/** The text of a profile that runs with that kind of load. Throws for a kind that is not in {@link loadKinds}. */
export function templateOf(kind: string): string {
  const found = loadKinds.find(({ name }) => name === kind);
  if (found === undefined) throw new Error(`there is no kind of load with the name ${kind}`);
  return readFileSync(new URL(`${found.example}.yaml`, shippedFolder), 'utf8');
}
