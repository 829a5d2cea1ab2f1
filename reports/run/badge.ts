import type { RunRecord } from '../record/record.ts';
import { verdictSentence } from '../record/verdict-sentence.ts';

const colors: Readonly<Record<RunRecord['result'], string>> = {
  conformant: '#10653a',
  'conformant-with-gaps': '#3d6410',
  waived: '#3d6410',
  nonconformant: '#ab2119',
  incomplete: '#7a4b00',
  'no-verdict': '#7a4b00',
  errored: '#6d3b9a',
  interrupted: '#48525f',
};

/** The approximate width of a character at 11 pixels; the text is set to the width that follows from it. */
const characterWidth = 6.4;

const padding = 7;

/** The verdict as a small image. It contains no text from the target. */
export function renderBadge(record: RunRecord): string {
  const { result, target } = record;
  const label = 'conformance';
  const words = result.replaceAll('-', ' ');
  const text = target.insecure === true ? `${words}, TLS not verified` : words;
  return badge({ label, text, title: `${label}: ${text}. ${verdictSentence(record)}`, color: colors[result] });
}

type Badge = { readonly label: string; readonly text: string; readonly title: string; readonly color: string };

/** A small image of two words. Its texts must need no escaping. */
export function badge({ label, text, title, color }: Badge): string {
  const [left, right] = [widthOf(label), widthOf(text)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="round"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="${left}" height="20" fill="#3a424d"/><rect x="${left}" width="${right}" height="20" fill="${color}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
${word(label, padding)}
${word(text, left + padding)}
</g></svg>
`;
}

function widthOf(text: string): number {
  return Math.round(text.length * characterWidth) + 2 * padding;
}

function word(text: string, x: number): string {
  return `<text x="${x}" y="14" textLength="${widthOf(text) - 2 * padding}">${text}</text>`;
}
