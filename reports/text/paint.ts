import { styleText } from 'node:util';
import type { Tone } from './tones.ts';

const styles = { good: 'green', bad: 'red', doubtful: 'yellow', idle: 'dim', faint: 'dim', strong: 'bold' } as const;

/** Colours text for a terminal. */
export type Paint = (style: Tone | 'faint' | 'strong', text: string) => string;

/** Leaves the text as it is, or adds the escape codes of terminals. */
export function painter(color: boolean): Paint {
  return (style, text) => (color ? styleText(styles[style], text, { validateStream: false }) : text);
}
