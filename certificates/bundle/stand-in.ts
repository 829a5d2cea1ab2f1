import { hash } from '../../engine/api.ts';

const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();

/**
 * A key of the same form that was never issued, to make a run again without the key: as long, with digits, letters and signs
 * in the same places, because checks send parts and alterations of keys that depend on these and on nothing else.
 */
export function standInFor({ name, key }: { readonly name: string; readonly key: string }): string {
  return Array.from({ length: key.length }, (_, place) => {
    const character = key.charAt(place);
    const alphabet = [digits, lower, upper].find((members) => members.includes(character));
    if (alphabet !== undefined) return alphabet.charAt(hash(`${name} ${place}`) % alphabet.length);
    return /[-_.]/.test(character) ? character : '!';
  }).join('');
}
