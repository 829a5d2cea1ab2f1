/** Values that are remembered: a deployment writes its content type in a few ways. */
const knownMost = 100;
const known = new Map<string, string | undefined>();

/** A JSON type as the MIME Sniffing Standard lists them: text/json is old but in use, and any type may end in +json. */
const jsonType = /^(?:(?:application|text)\/json|[\w!#$&^.+-]+\/[\w!#$&^.+-]+\+json)$/;

/** What is wrong with the content type of a JSON body; undefined when nothing is. Section 1: all bodies are JSON. */
export function contentTypeProblem(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === '') return 'no content type';
  if (known.has(header)) return known.get(header);
  // Headers that were sent twice arrive joined by commas.
  const problem = header
    .split(',')
    .map((one) => problemOf(one.trim()))
    .find((found) => found !== undefined);
  if (known.size < knownMost) known.set(header, problem);
  return problem;
}

function problemOf(contentType: string): string | undefined {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  if (!jsonType.test(type)) return `the content type ${type}`;
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=').map((part) => part.trim().replace(/^"(.*)"$/, '$1'));
    // Every text in ASCII is the same text in UTF-8.
    if (name === 'charset' && !/^(utf-?8|us-ascii)$/.test(value)) return `the charset ${value}`;
  }
  return undefined;
}
