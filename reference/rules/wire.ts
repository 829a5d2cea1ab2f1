import type { Request } from '../http/request.ts';
import { remembered } from '../state/remembered.ts';
import type { WireBreak, WireForm } from '../http/wire-form.ts';

const json: Readonly<Record<string, string>> = { 'content-type': 'application/json; charset=utf-8' };
const encoded = remembered((text) => Buffer.from(text));

/** Section 1, "all request and response bodies are JSON", and HTTP below it. */
export const wireRules = {
  headers(_status: number, _request: Request): Readonly<Record<string, string>> {
    return json;
  },
  encode(text: string, _status: number, _request: Request): Uint8Array {
    return encoded(text);
  },
  form(_status: number, _request: Request): WireForm {
    return 'plain';
  },
  /** The status that a proxy answers in place of the deployment, or that it resets the connection; undefined where it does neither. */
  gatewayStatus(_request: Request): number | 'reset' | undefined {
    return undefined;
  },
  /** Whether the deployment carries out a request that the proxy answers. */
  gatewayPassesOn(_request: Request): boolean {
    return false;
  },
  /** How the answer is broken off; undefined where it is not. */
  breaks(_status: number, _request: Request): WireBreak | undefined {
    return undefined;
  },
  /** The number of entry points, each a node of its own. */
  entryPoints(): number {
    return 1;
  },
  /** The value of a repeated query parameter that counts; undefined refuses the request. */
  repeated(values: readonly string[], _request: Request): string | undefined {
    return values[0];
  },
  /** Milliseconds until a worker may take a request. */
  paceMs(_request: Request): number {
    return 0;
  },
  /** How many requests it works on at the same time; the others wait for their turn. */
  workers(): number {
    return Number.POSITIVE_INFINITY;
  },
  /** An instant in milliseconds as a string. */
  timestamp(ms: number): string {
    return new Date(Math.floor(ms)).toISOString();
  },
} as const;
