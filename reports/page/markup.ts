import { shown } from '../../core/text.ts';
import { entities } from '../text/entities.ts';

/** Markup that is safe to insert. Only {@link markup} makes it, so other text is never taken for markup. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | undefined | readonly Markup[];

/** A template in which every value is escaped unless it is markup. Undefined leaves nothing. */
export function markup(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const text = literals.map((literal, index) => literal + rendered(parts[index]));
  return new Markup(text.join(''));
}

/** Text of several lines, for an element that keeps line breaks. */
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

/** For elements and quoted attributes. Invisible and bidirectional characters are spelled out. */
function escaped(text: string): string {
  return entities(shown(text, Infinity), /[&<>"']/g);
}
