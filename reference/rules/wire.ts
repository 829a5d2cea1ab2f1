import type { Request } from '../http/request.ts';
import { remembered } from '../state/remembered.ts';
import type { WireBreak, WireForm } from '../http/wire-form.ts';

const json: Readonly<Record<string, string>> = { 'content-type': 'application/json; charset=utf-8' };
const encoded = remembered((text) => Buffer.from(text));

/** Section 1, "all bodies are JSON", and HTTP below it. */
export const wireRules = {
  headers(_status: number, _request: Request): Readonly<Record<string, string>> {
    return json;
  },
  /** The JSON text as it is sent. */
  bodyText(text: string, _status: number, _request: Request): string {
    return text;
  },
  encode(text: string, _status: number, _request: Request): Uint8Array {
    return encoded(text);
  },
  form(_status: number, _request: Request): WireForm {
    return 'plain';
  },
  /** What a proxy answers in the deployment's place, or that it resets the connection; undefined: its answer is passed on. */
  gatewayStatus(_request: Request): number | 'reset' | undefined {
    return undefined;
  },
  /** Whether the deployment gets the request that the proxy answers, and carries it out. */
  gatewayPassesOn(_request: Request): boolean {
    return false;
  },
  /** How the answer is broken off, if it is. */
  breaks(_status: number, _request: Request): WireBreak | undefined {
    return undefined;
  },
  /** Which of the values of a repeated query parameter counts; undefined refuses the request. */
  repeated(values: readonly string[], _request: Request): string | undefined {
    return values[0];
  },
  /** An ID from the path, decoded. */
  pathId(decoded: string): string {
    return decoded;
  },
  /** How long an answer takes beside what it waits for. */
  paceMs(_request: Request): number {
    return 0;
  },
  /** An instant in milliseconds as a string. */
  timestamp(ms: number): string {
    return new Date(Math.floor(ms)).toISOString();
  },
} as const;
