/** The object in a list of one, for the faults that take such a list for it. */
export function unwrapped(body: string): string {
  return /^\[(\{.*\})\]$/s.exec(body)?.[1] ?? body;
}
