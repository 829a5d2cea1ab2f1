import { styleText } from 'node:util';

const styles = { good: 'green', bad: 'red', doubtful: 'yellow', faint: 'dim', strong: 'bold' } as const;

export type Tone = keyof typeof styles;

/** Gives text a tone. */
export type Paint = (tone: Tone, text: string) => string;

/** Leaves the text as it is, or adds the escape codes that terminals understand. */
export function painter(color: boolean): Paint {
  return (tone, text) => (color ? styleText(styles[tone], text, { validateStream: false }) : text);
}
