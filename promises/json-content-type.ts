import { MIMEType } from 'node:util';

/** Values that are remembered: a deployment writes its content type in a few ways. */
const knownMost = 100;
const known = new Map<string, string | undefined>();

/** A JSON type as the MIME Sniffing Standard lists them: text/json is old but in use, and any type may end in +json. */
const jsonType = /^(?:(?:application|text)\/json|[\w!#$&^.+-]+\/[\w!#$&^.+-]+\+json)$/;

/** Commas and semicolons within quotation marks belong to a parameter. */
const betweenCommas = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;

/** What is wrong with the content type of a JSON body; undefined when nothing is. Section 1: all bodies are JSON. */
export function contentTypeProblem(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === '') return 'no content type';
  if (known.has(header)) return known.get(header);
  // Headers that were sent twice arrive joined by commas.
  const types = header.match(betweenCommas) ?? [''];
  const problem = types.map((one) => problemOf(one.trim())).find((found) => found !== undefined);
  if (known.size < knownMost) known.set(header, problem);
  return problem;
}

function problemOf(contentType: string): string | undefined {
  const parsed = parse(contentType);
  const type = parsed?.essence ?? contentType.toLowerCase();
  if (parsed === undefined || !jsonType.test(type)) return `the content type ${type}`;
  const charset = parsed.params.get('charset')?.toLowerCase();
  // Every text in ASCII is the same text in UTF-8.
  return charset === undefined || /^(utf-?8|us-ascii)$/.test(charset) ? undefined : `the charset ${charset}`;
}

function parse(contentType: string): MIMEType | undefined {
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
}
