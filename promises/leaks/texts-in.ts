import type { Answer } from '../../core/exchange.ts';

/** Values and characters that are looked at in one answer. */
const maxValues = 2000;
const maxCharacters = 64 * 1024;

/**
 * The texts of an answer, one a line: every string of its JSON, or the body as it is where that is none. Bounded,
 * whatever was sent.
 */
export function textsIn(answer: Answer): string {
  if (answer.json === undefined) return rawText(answer);
  const texts: string[] = [];
  const left: unknown[] = [answer.json];
  let characters = 0;
  for (let count = 0; count < maxValues && characters < maxCharacters; count += 1) {
    const value = left.pop();
    if (typeof value === 'string') {
      const text = value.slice(0, maxCharacters);
      characters += text.length;
      texts.push(text);
    } else if (typeof value === 'object' && value !== null) {
      left.push(...Object.values(value).slice(0, maxValues).reverse());
    } else if (left.length === 0) break;
  }
  return texts.join('\n');
}

function rawText({ exchange: { outcome } }: Answer): string {
  if (outcome.kind === 'failed') return '';
  return new TextDecoder().decode(outcome.response.body.subarray(0, maxCharacters));
}
