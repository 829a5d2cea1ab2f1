import type { Waiver } from './record.ts';

/** A waiver in one sentence: until when, why, who answers for it, and where more is. */
export function waiverSentence({ reason, owner, link, expires }: Waiver): string {
  return `Waived until ${expires} by ${owner}: ${reason} (${link})`;
}
