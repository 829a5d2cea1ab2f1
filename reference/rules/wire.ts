import type { Ask } from '../http/ask.ts';
import { remembered } from '../state/remembered.ts';
import type { WireBreak, WireForm } from '../http/wire-form.ts';

const json: Readonly<Record<string, string>> = { 'content-type': 'application/json; charset=utf-8' };
const encoded = remembered((text) => Buffer.from(text));

/** Section 1, "all bodies are JSON", and HTTP below it. */
export const wireRules = {
  headers(_status: number, _ask: Ask): Readonly<Record<string, string>> {
    return json;
  },
  /** The JSON text as it is sent. */
  bodyText(text: string, _status: number, _ask: Ask): string {
    return text;
  },
  encode(text: string, _status: number, _ask: Ask): Uint8Array {
    return encoded(text);
  },
  form(_status: number, _ask: Ask): WireForm {
    return 'plain';
  },
  /** What a proxy answers in the deployment's place, or that it resets the connection; undefined: its answer is passed on. */
  gatewayStatus(_ask: Ask): number | 'reset' | undefined {
    return undefined;
  },
  /** Whether the deployment gets the request that the proxy answers, and carries it out. */
  gatewayPassesOn(_ask: Ask): boolean {
    return false;
  },
  /** How the answer is broken off, if it is. */
  breaks(_status: number, _ask: Ask): WireBreak | undefined {
    return undefined;
  },
  /** Which of the values of a repeated query parameter counts; undefined refuses the request. */
  repeated(values: readonly string[], _ask: Ask): string | undefined {
    return values[0];
  },
  /** An ID from the path, decoded. */
  pathId(decoded: string): string {
    return decoded;
  },
  /** How long an answer takes beside what it waits for. */
  paceMs(_ask: Ask): number {
    return 0;
  },
  /** An instant in milliseconds as a string. */
  timestamp(ms: number): string {
    return new Date(Math.floor(ms)).toISOString();
  },
} as const;
