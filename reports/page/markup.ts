import { shown } from '../../core/text.ts';

/** Markup that may stand in the page as it is. Only {@link markup} makes it, so nothing else is ever taken for markup. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | undefined | readonly Markup[];

/** A template in which every value stays text, unless it is markup itself. Undefined leaves nothing. */
export function markup(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const text = literals.map((literal, index) => literal + rendered(parts[index]));
  return new Markup(text.join(''));
}

/** Text of several lines, for an element that keeps them. */
export function lines(text: string): Markup {
  const safe = text.split(/\r?\n/).map((line) => escaped(line));
  return new Markup(safe.join('\n'));
}

function rendered(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  return part.map(({ text }) => text).join('');
}

/** Holds in elements and in quoted attributes. What a reader could not see, or what turns text around, is spelled out. */
function escaped(text: string): string {
  return shown(text, Infinity).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
