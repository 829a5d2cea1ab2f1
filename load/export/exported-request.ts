import { type Piece, type Redactor, redactorOf } from '../../core/redaction/redact.ts';
import type { Target } from '../../core/target.ts';
import type { LoadRequest } from '../schedule/load-request.ts';

/** Text, or the environment variable that holds it. */
export type HeaderPart = { readonly text: string } | { readonly variable: string };

/** One request, without its key. */
export type ExportedRequest = {
  readonly method: string;
  readonly path: string;
  /** All headers except the authorization, the idempotency keys and the user agent, which the other engine sets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that hold a secret, each in parts. */
  readonly secretHeaders: Readonly<Record<string, readonly HeaderPart[]>>;
  readonly body: string | undefined;
  /** The environment variable with the key. */
  readonly keyVariable: string;
  /** Headers that get a new value for each request. */
  readonly onceHeaders: readonly string[];
};

/** Part of the value of each header that gets a new value for each request. */
export const onceMark = 'awc-once';
const keyMark = 'key';

/** The target without its keys, so that nothing made from it can contain one. */
export function withoutKeys(target: Target): Target {
  return { ...target, principals: target.principals.map((one) => ({ ...one, key: keyMark })) };
}

/** Makes requests plain data, with variables of the environment in the place of secrets. */
export function requestExporter(target: Target): (request: LoadRequest) => ExportedRequest {
  const redactor = redactorOf(target);
  const variables = new Map(target.principals.map(({ name, variable }) => [name, nameOf(variable)]));
  return (request) => exportedRequest(request, variables.get(request.caller) ?? '', redactor);
}

function exportedRequest({ request }: LoadRequest, keyVariable: string, redactor: Redactor): ExportedRequest {
  const { method, path, headers, body } = request;
  const hasSecret = (value: string) => redactor.pieces(value).some(({ kind }) => kind === 'secret');
  const isOnce = (value: string) => value.startsWith(onceMark);
  const named = Object.entries(headers).filter(([name]) => name !== 'authorization' && name !== 'user-agent');
  return {
    method,
    path,
    headers: Object.fromEntries(named.filter(([, value]) => !isOnce(value) && !hasSecret(value))),
    secretHeaders: Object.fromEntries(
      named.filter(([, value]) => hasSecret(value)).map(([name, value]) => [name, redactor.pieces(value).map(partOf)]),
    ),
    body: typeof body === 'string' ? body : undefined,
    keyVariable,
    onceHeaders: named.filter(([, value]) => isOnce(value)).map(([name]) => name),
  };
}

function partOf(piece: Piece): HeaderPart {
  return piece.kind === 'literal' ? { text: piece.text } : { variable: nameOf(piece.variable) };
}

/** The name of a variable without its dollar sign. */
function nameOf(variable: string): string {
  return variable.replace(/^\$/, '');
}

/** Every environment variable that requests read, each once. */
export function variablesOf(requests: readonly ExportedRequest[]): readonly string[] {
  const names = requests.flatMap(({ keyVariable, secretHeaders }) => [
    keyVariable,
    ...Object.values(secretHeaders).flatMap((parts) =>
      parts.flatMap((part) => ('variable' in part ? [part.variable] : [])),
    ),
  ]);
  return [...new Set(names)];
}
