/** A fenced block of a document. */
export type Fence = {
  readonly language: string;
  /** The words after the language: `exit=1` has the value `1`, `skip="why"` the value `why`, `background` an empty one. */
  readonly words: ReadonlyMap<string, string>;
  readonly text: string;
  /** The line of its opening fence, from 1. */
  readonly line: number;
};

/** The fenced blocks of a Markdown document, in order. */
export function fences(markdown: string): readonly Fence[] {
  const found: Fence[] = [];
  let open: { readonly info: string; readonly line: number; readonly text: string[] } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open === undefined) {
      const info = /^```(.+)$/.exec(line)?.[1];
      if (info !== undefined) open = { info, line: index + 1, text: [] };
    } else if (line === '```') {
      found.push({ ...readInfo(open.info), text: `${open.text.join('\n')}\n`, line: open.line });
      open = undefined;
    } else {
      open.text.push(line);
    }
  }
  if (open !== undefined) throw new Error(`the block that begins in line ${open.line} has no end`);
  return found;
}

function readInfo(info: string): Pick<Fence, 'language' | 'words'> {
  const [language = '', ...rest] = info.trim().split(' ');
  const words = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of rest.join(' ').matchAll(/([\w-]+)(?:=(?:"([^"]*)"|(\S*)))?/g)) {
    words.set(name, quoted ?? plain);
  }
  return { language, words };
}
