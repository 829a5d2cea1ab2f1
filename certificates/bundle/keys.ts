import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Malformed } from './bundle.ts';
import { sha256 } from '../../core/hash.ts';

/** A new pair of ed25519 keys in PEM: PKCS #8 and SubjectPublicKeyInfo, which openssl reads. */
export function createKeys(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

/** Throws Malformed, whose message quotes nothing from the file. */
export function readPrivateKey(pem: string, what: string): KeyObject {
  return ofEd25519(() => createPrivateKey(pem), `${what} is not an ed25519 private key in PEM: awc keygen makes one`);
}

/** Throws Malformed. It refuses a private key, which must not be passed on. */
export function readPublicKey(pem: string, what: string): KeyObject {
  const sentence = `${what} is not an ed25519 public key in PEM`;
  if (!pem.startsWith('-----BEGIN PUBLIC KEY-----')) throw new Malformed(sentence);
  return ofEd25519(() => createPublicKey(pem), sentence);
}

export function publicPem(key: KeyObject): string {
  return (key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'pem' }).toString();
}

/** The id of a key: `sha256:` and the SHA-256 of its SubjectPublicKeyInfo in DER. */
export function keyId(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return `sha256:${sha256(publicKey.export({ type: 'spki', format: 'der' }))}`;
}

function ofEd25519(read: () => KeyObject, sentence: string): KeyObject {
  try {
    const key = read();
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The message of openssl does not help the reader.
  }
  throw new Malformed(sentence);
}
