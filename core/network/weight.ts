import { TransportError } from '../http.ts';
import { sha256 } from '../hash.ts';
import { leastSharedBytes } from '../shared-records.ts';

/** The most names and values of an answer. A page of 100 items has far fewer. */
const maxValues = 1_000_000;
/** The memory of a parsed name, of a value, and of an object or array beside its values, in bytes. Few answers take as much. */
const bytesOfName = 24;
const bytesOfValue = 40;
const bytesOfHolder = 88;
/** Records of at least so many bytes are parsed into one that all answers share. */
const leastRecordBytes = 2048;

/** A record of a list, by the digest of its bytes, and the memory of what it is parsed into. */
export type WeighedRecord = { readonly name: string; readonly bytes: number };

/** The memory of a body and of what it is parsed into, in bytes, without records that other bodies may show too. */
export type Weight = { readonly bytes: number; readonly records: readonly WeighedRecord[] };

type Counts = { names: number; values: number; holders: number };

/** Throws TransportError if the body has too many values. */
export function weightOf(body: Uint8Array): Weight {
  const { counts, records } = scan(body, body.length >= leastSharedBytes);
  if (counts.names + counts.values + counts.holders > maxValues)
    throw new TransportError('too-large', `The body has more than ${maxValues} names and values.`);
  const ofRecords = records.reduce((sum, { bytes }) => sum + bytes, 0);
  return { bytes: body.length + parsedBytes(counts, body.length) - ofRecords, records };
}

function parsedBytes({ names, values, holders }: Counts, length: number): number {
  return length + bytesOfName * names + bytesOfValue * values + bytesOfHolder * holders;
}

/** How many names and values JSON has, and the records of its lists. A text is one value, whatever signs it holds: SQL is full of commas. */
function scan(body: Uint8Array, isShared: boolean): { readonly counts: Counts; readonly records: WeighedRecord[] } {
  const counts: Counts = { names: 0, values: 0, holders: 0 };
  const records: WeighedRecord[] = [];
  let inText = false;
  let depth = 0;
  let begun: (Counts & { readonly at: number }) | undefined;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === 0x22) inText = !inText; // "
    else if (inText) at += byte === 0x5c ? 1 : 0; // what follows a backslash ends no text
    else if (byte === 0x3a) counts.names += 1; // :
    else if (byte === 0x2c) counts.values += 1; // ,
    else if (byte === 0x5b || byte === 0x7b) {
      // [ {
      if (isShared && depth === 2 && byte === 0x7b) begun = { ...counts, at };
      counts.holders += 1;
      depth += 1;
    } else if (byte === 0x5d || byte === 0x7d) {
      // ] }
      depth -= 1;
      if (depth !== 2 || begun === undefined) continue;
      const slice = body.subarray(begun.at, at + 1);
      const own = {
        names: counts.names - begun.names,
        values: counts.values - begun.values,
        holders: counts.holders - begun.holders,
      };
      begun = undefined;
      if (slice.length >= leastRecordBytes)
        records.push({ name: sha256(slice), bytes: parsedBytes(own, slice.length) });
    }
  }
  return { counts, records };
}
