/** One measured figure and its goal. */
export type Figure = {
  readonly name: string;
  readonly value: string;
  /** The goal. */
  readonly wanted: string;
  /** Undefined if there is no goal. */
  readonly isMet: boolean | undefined;
};

export function figure(name: string, value: string, wanted = '', isMet?: boolean): Figure {
  return { name, value, wanted, isMet };
}

/** A line for a terminal. */
export function figureLine({ name, value, wanted, isMet }: Figure): string {
  const mark = isMet === undefined ? ' ' : isMet ? '✓' : '✗';
  return `${mark} ${name.padEnd(52)} ${value.padEnd(34)} ${wanted}`.trimEnd();
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
