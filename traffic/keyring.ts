import { maxSecretLength, maxSecretsLength, type Principal } from '../core/target.ts';
import { HarError } from './har.ts';

/** The sender of a request, according to its Authorization header. */
export type Sender = {
  /** What stands for the caller in reports; the same for the same header. */
  readonly name: string;
  /** Whether two requests with this name surely have one caller. They may not if the header was left out or replaced. */
  readonly isKnown: boolean;
  /** The header as it is kept; undefined where there was none. */
  readonly authorization: string | undefined;
};

/** Names for the credentials of a recording, so that none of them is ever shown. Throws HarError for too many. */
export type Keyring = {
  readonly senderOf: (authorization: string | undefined) => Sender;
  readonly principals: () => readonly Principal[];
};

/** The maximum number of distinct credentials: each costs time wherever text is searched for it. */
const maxKeys = 200;

/** A shorter text is not a key: redacting it would change other words. */
const leastKey = 6;

const anonymous: Sender = { name: 'no credential recorded', isKnown: false, authorization: undefined };

export function createKeyring(): Keyring {
  const senders = new Map<string, Sender>();
  const principals: Principal[] = [];
  let length = 0;

  function named(authorization: string): Sender {
    const [, scheme = '', token = authorization] = /^([\w-]+) +(.+)$/.exec(authorization) ?? [];
    // Our own reports write keys as variables.
    if (/^\$[A-Z][A-Z0-9_]*$/.test(token)) return { name: token, isKnown: true, authorization };
    if (isReplaced(token) || token.length < leastKey) {
      return { name: 'a credential not recorded', isKnown: false, authorization: `${scheme} (not recorded)`.trim() };
    }
    if (principals.length >= maxKeys) throw new HarError(`holds over ${maxKeys} different credentials: split it.`);
    if (token.length > maxSecretLength)
      throw new HarError(`holds a credential of more than ${maxSecretLength} characters: remove its entries.`);
    length += token.length;
    if (length > maxSecretsLength)
      throw new HarError(`holds credentials of more than ${maxSecretsLength} characters in all: split it.`);
    const name = `key-${principals.length + 1}`;
    const variable = `$AWC_KEY_${principals.length + 1}`;
    principals.push({ name, key: token, variable, adminOf: [] });
    return { name, isKnown: true, authorization };
  }

  function senderOf(authorization: string | undefined): Sender {
    if (authorization === undefined) return anonymous;
    const known = senders.get(authorization);
    if (known !== undefined) return known;
    const sender = named(authorization);
    senders.set(authorization, sender);
    return sender;
  }

  return { senderOf, principals: () => principals };
}

/** Whether the value of a header is a mark of redaction: different values may have the same mark, and one value several. */
export function isReplaced(value: string): boolean {
  return /redact|filtered|masked|removed|\*{2}|^<.*>$|^\[.*\]$|^x+$|…/i.test(value);
}
