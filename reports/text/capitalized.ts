/** A sentence with a capital, unless it begins with a name that is written otherwise, such as `p99` or `retryAfterMs`. */
export function capitalized(sentence: string): string {
  return /^[a-z]+(?=\s|$)/.test(sentence) ? `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}` : sentence;
}
