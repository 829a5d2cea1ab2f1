/** A scheme and the name that stands for a whole key. */
const ofKey = /^\S+ +\$[\p{L}_][\p{L}\p{N}_]*$/u;

/**
 * As far as a credential is the same when its run is made again: wrong ones are made from parts of a key, and others are
 * made from its stand-in.
 */
export function credentialForm(credential: string): string {
  return ofKey.test(credential) ? credential : credential.replace(/(?<=\S ).*$/s, 'no key');
}
