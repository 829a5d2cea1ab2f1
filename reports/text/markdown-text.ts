import { shown } from '../../core/text.ts';

/** Text that Markdown leaves alone, in one line: what could begin a mark, a tag, a link or a mention is an entity. */
export function plainText(text: string, most: number): string {
  const line = shown(text, most).replace(/[&<>"'\\`*_[\]#|~@$!{}()]|:(?=\/\/)|(?<=www)\./gi, entity);
  return line.replace(/^[-+=]|(?<=^\d+)[.)](?= |$)/, entity);
}

/** Text as code. Not in backticks: those would show the entities that keep its bars from parting a table. */
export function codeText(text: string, most: number): string {
  return `<code>${plainText(text, most)}</code>`;
}

/** A block of code, fenced with more backticks than stand in it. */
export function codeBlock(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown(text, Infinity)}\n${fence}`;
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
