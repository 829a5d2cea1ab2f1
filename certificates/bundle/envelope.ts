import { type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { shown } from '../../core/text.ts';
import { keyId } from './keys.ts';
import { Malformed } from './bundle.ts';
import { parseStrictJson } from './strict-json.ts';

/** The type of an in-toto payload. */
const payloadType = 'application/vnd.in-toto+json';

/** The most signatures: that of the vendor and those of witnesses. */
const maxSignatures = 8;

const envelopeSchema = z.strictObject({
  payloadType: z.string(),
  payload: z.base64(),
  signatures: z
    .array(z.strictObject({ keyid: z.string(), sig: z.base64() }))
    .min(1)
    .max(maxSignatures),
});

/** A DSSE envelope around a payload, as text. */
export function sealEnvelope(payload: string, privateKey: KeyObject): string {
  const bytes = Buffer.from(payload);
  const sig = sign(null, signedBytes(payloadType, bytes), privateKey).toString('base64');
  const envelope = { payloadType, payload: bytes.toString('base64'), signatures: [{ keyid: keyId(privateKey), sig }] };
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

/** The payload of an envelope that this key signed. Throws Malformed for any other. */
export function openEnvelope(text: string, name: string, publicKey: KeyObject): string {
  const { payload, signatures } = readEnvelope(text, name);
  const signature = signatures.find(({ keyid }) => keyid === keyId(publicKey)) ?? signatures[0];
  const bytes = Buffer.from(payload, 'base64');
  const sig = Buffer.from(signature?.sig ?? '', 'base64');
  if (sig.length !== 64) throw new Malformed(`the signature in ${name} has ${sig.length} bytes instead of 64`);
  if (!verify(null, signedBytes(payloadType, bytes), publicKey, sig)) {
    throw new Malformed(`the signature in ${name} does not match this statement and the key ${keyId(publicKey)}`);
  }
  if (signature?.keyid !== keyId(publicKey)) throw new Malformed(`${name} names a key that did not sign it`);
  return bytes.toString('utf8');
}

/** The envelope with one more signature. Throws Malformed if it has no room, or this key has signed it. */
export function countersigned(text: string, name: string, privateKey: KeyObject): string {
  const envelope = readEnvelope(text, name);
  const { payload, signatures } = envelope;
  const keyid = keyId(privateKey);
  if (signatures.some((signature) => signature.keyid === keyid))
    throw new Malformed(`the key ${keyid} has signed ${name}`);
  if (signatures.length >= maxSignatures) throw new Malformed(`${name} has ${maxSignatures} signatures already`);
  const sig = sign(null, signedBytes(payloadType, Buffer.from(payload, 'base64')), privateKey).toString('base64');
  return `${JSON.stringify({ ...envelope, signatures: [...signatures, { keyid, sig }] }, null, 2)}\n`;
}

function readEnvelope(text: string, name: string): z.infer<typeof envelopeSchema> {
  const parsed = envelopeSchema.safeParse(parseStrictJson(text, name));
  if (!parsed.success) throw new Malformed(`${name} is not a DSSE envelope with 1 to ${maxSignatures} signatures`);
  const signers = new Set(parsed.data.signatures.map(({ keyid }) => keyid));
  if (signers.size < parsed.data.signatures.length) throw new Malformed(`${name} has two signatures of one key`);
  if (parsed.data.payloadType === payloadType) return parsed.data;
  throw new Malformed(`${name} holds ${shown(parsed.data.payloadType, 80)}, not ${payloadType}`);
}

/** The pre-authentication encoding of DSSE, which keeps payloads of different types apart. */
function signedBytes(type: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}
