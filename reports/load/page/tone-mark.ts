import { type Markup, markup } from '../../page/markup.ts';

/** How something in a load report stands. */
export type Tone = 'good' | 'bad' | 'doubtful' | 'idle';

/** The classes and signs of `html/style.ts`: shapes as well as colours, for those who do not see the colours. */
const looks = {
  good: { style: 'is-passed', sign: '✓' },
  bad: { style: 'is-failed', sign: '✕' },
  doubtful: { style: 'is-warned', sign: '?' },
  idle: { style: 'is-blocked', sign: '–' },
} as const satisfies Readonly<Record<Tone, { readonly style: string; readonly sign: string }>>;

/** The class that gives an element its tone. */
export function toneClass(tone: Tone): string {
  return looks[tone].style;
}

/** The sign of a tone, which nobody reads aloud. */
export function toneSign(tone: Tone): Markup {
  return markup`<span class="sign" aria-hidden="true">${looks[tone].sign}</span>`;
}

/** A word in its tone. */
export function toneMark(tone: Tone, word: string): Markup {
  return markup`<span class="mark ${toneClass(tone)}">${toneSign(tone)} ${word}</span>`;
}
