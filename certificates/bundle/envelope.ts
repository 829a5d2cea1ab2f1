import { type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { shown } from '../../core/text.ts';
import { keyId } from './keys.ts';
import { Malformed } from './bundle.ts';
import { parseStrictJson } from './strict-json.ts';

/** The type of an in-toto payload. */
const payloadType = 'application/vnd.in-toto+json';

const envelopeSchema = z.strictObject({
  payloadType: z.string(),
  payload: z.base64(),
  signatures: z.array(z.strictObject({ keyid: z.string(), sig: z.base64() })).length(1),
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
  const parsed = envelopeSchema.safeParse(parseStrictJson(text, name));
  if (!parsed.success) throw new Malformed(`${name} is not a DSSE envelope with one signature`);
  const { payload, signatures } = parsed.data;
  if (parsed.data.payloadType !== payloadType) {
    throw new Malformed(`${name} holds ${shown(parsed.data.payloadType, 80)}, not ${payloadType}`);
  }
  const [signature] = signatures;
  const bytes = Buffer.from(payload, 'base64');
  const sig = Buffer.from(signature?.sig ?? '', 'base64');
  if (sig.length !== 64) throw new Malformed(`the signature in ${name} has ${sig.length} bytes instead of 64`);
  if (!verify(null, signedBytes(payloadType, bytes), publicKey, sig)) {
    throw new Malformed(`the signature in ${name} does not match this statement and the key ${keyId(publicKey)}`);
  }
  if (signature?.keyid !== keyId(publicKey)) throw new Malformed(`${name} names a key that did not sign it`);
  return bytes.toString('utf8');
}

/** The pre-authentication encoding of DSSE, which keeps payloads of different types apart. */
function signedBytes(type: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}
