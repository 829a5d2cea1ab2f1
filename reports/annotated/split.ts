import { createHash } from 'node:crypto';

/** One sentence of a text, with what its coverage is looked up by. */
export type Sentence = {
  /** The number of its heading, such as `4.2`; the heading itself where it has no number; empty before the first. */
  readonly section: string;
  /** Of the normalized text, and for a row of the line above its table that ends in a colon. Equal in every layout of the same words. */
  readonly digest: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
};

type Heading = { readonly kind: 'heading'; readonly level: number; readonly sentence: Sentence };
type Prose = { readonly kind: 'prose'; readonly sentences: readonly Sentence[] };
type Row = { readonly cells: readonly string[]; readonly sentence: Sentence };
type Table = { readonly kind: 'table'; readonly rows: readonly Row[] };

/** A heading, a paragraph or item of a list, or a table with its head row. */
export type Block = Heading | Prose | Table;

type Line = { readonly text: string; readonly number: number };

/** The blocks of a text in Markdown, in its order. The time is linear in the text. */
export function blocksOf(markdown: string): readonly Block[] {
  const lines = markdown.split(/\r?\n/).map((text, index) => ({ text: normalized(text), number: index + 1 }));
  const blocks: Block[] = [];
  let section = '';
  let lead = '';
  for (const group of groupsOf(lines)) {
    const [first] = group;
    if (first === undefined) continue;
    const kind = kindOf(first.text);
    if (kind === 'heading') {
      const title = first.text.replace(/^#+ /, '');
      section = /^\d+(\.\d+)*/.exec(title)?.[0] ?? title;
      lead = '';
      const level = Math.min(first.text.indexOf(' '), 6);
      blocks.push({ kind, level, sentence: sentence(section, first.number, title) });
    } else if (kind === 'row') {
      blocks.push({ kind: 'table', rows: rowsOf(group, section, lead) });
    } else {
      const text = group
        .map((line) => line.text)
        .join(' ')
        .replace(itemMark, '');
      lead = text.endsWith(':') ? text : '';
      const sentences = text.split(sentenceBreak).map((part) => sentence(section, first.number, part));
      blocks.push({ kind: 'prose', sentences });
    }
  }
  return blocks;
}

/** Every sentence of the blocks. */
export function sentencesOf(blocks: readonly Block[]): readonly Sentence[] {
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'heading':
        return [block.sentence];
      case 'prose':
        return block.sentences;
      case 'table':
        return block.rows.map((row) => row.sentence);
    }
  });
}

/** The space between two sentences: a number such as 4.2 and a word such as `null.` inside a sentence end none. */
const sentenceBreak = /(?<=[.!?]) (?=[\p{Lu}`"'{(])/u;

const itemMark = /^(?:[-*+]|\d+[.)]) /;

function normalized(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function kindOf(text: string): 'blank' | 'heading' | 'row' | 'item' | 'text' {
  if (text === '') return 'blank';
  if (/^#+ /.test(text)) return 'heading';
  if (text.startsWith('|')) return 'row';
  return itemMark.test(text) ? 'item' : 'text';
}

/** The lines of each block: rows that follow one another, or a line and the lines of text that continue it. */
function groupsOf(lines: readonly Line[]): readonly (readonly Line[])[] {
  const groups: Line[][] = [];
  let before = 'blank';
  for (const line of lines) {
    const kind = kindOf(line.text);
    const continues = kind === 'row' ? before === 'row' : kind === 'text' && (before === 'text' || before === 'item');
    if (continues) groups.at(-1)?.push(line);
    else if (kind !== 'blank') groups.push([line]);
    before = kind;
  }
  return groups;
}

function rowsOf(group: readonly Line[], section: string, lead: string): readonly Row[] {
  return group
    .filter(({ text }) => !/^[|:\- ]+$/.test(text))
    .map(({ text, number }) => {
      const cells = text
        .replace(/^\||\|$/g, '')
        .split('|')
        .map(normalized);
      return { cells, sentence: sentence(section, number, cells.join(' | '), lead) };
    });
}

function sentence(section: string, line: number, text: string, lead = ''): Sentence {
  const digest = createHash('sha256').update(`${lead}\n${text}`).digest('hex').slice(0, 16);
  return { section, digest, line, text };
}
