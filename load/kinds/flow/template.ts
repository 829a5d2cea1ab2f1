/** A part of a text that stands for a value: of a row of the data, or of the answer to an earlier step. */
export type Reference = {
  /** `row`, or the name of a step. */
  readonly of: string;
  /** Names and indices; `any` is an index that is drawn. */
  readonly path: readonly string[];
};

const piece = /\{\{|\}\}|\{([A-Za-z]\w*)((?:\.\w+)+)\}|[{}]|[^{}]+/g;

/** The texts and references of a template such as `{open.data.0.id}`; undefined if a brace is neither doubled nor of a reference. */
export function parseTemplate(text: string): readonly (string | Reference)[] | undefined {
  const parts: (string | Reference)[] = [];
  for (const [part, of, path] of text.matchAll(piece)) {
    if (part === '{' || part === '}') return undefined;
    if (of !== undefined && path !== undefined) parts.push({ of, path: path.slice(1).split('.') });
    else parts.push(part === '{{' || part === '}}' ? part.slice(1) : part);
  }
  return parts;
}

/** No text of a request may be longer. */
const maxLength = 10_000;

/** The text with values in place of its references; undefined if one has no value, or if the text is empty or too long. */
export function filled(text: string, valueOf: (reference: Reference) => string | undefined): string | undefined {
  let whole = '';
  for (const part of parseTemplate(text) ?? []) {
    const value = typeof part === 'string' ? part : valueOf(part);
    if (value === undefined) return undefined;
    whole += value;
  }
  return whole === '' || whole.length > maxLength ? undefined : whole;
}

export function referencesOf(text: string): readonly Reference[] {
  return (parseTemplate(text) ?? []).filter((part) => typeof part !== 'string');
}
