import { shown } from '../../core/text.ts';
import { entities } from './entities.ts';

/** Text on one line, with entities for all that could begin a mark, a tag, a link or a mention. */
export function plainText(text: string, most: number): string {
  const line = entities(shown(text, most), /[&<>"'\\`*_[\]#|~@$!{}()]|:(?=\/\/)|(?<=www)\./gi);
  return entities(line, /^[-+=]|(?<=^\d+)[.)](?= |$)/);
}

/** Text as code. Not in backticks: they would show the entities that keep its bars from splitting table cells. */
export function codeText(text: string, most: number): string {
  return `<code>${plainText(text, most)}</code>`;
}

/** A block of code, fenced with more backticks than it contains. */
export function codeBlock(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown(text, Infinity)}\n${fence}`;
}
