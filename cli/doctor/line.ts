/** A line of the doctor's report. `good` and `bad`: as the target file says, or not. `doubtful`: worth a look. */
export type Line = { readonly tone: 'good' | 'bad' | 'doubtful' | 'plain'; readonly text: string };

export const good = (text: string): Line => ({ tone: 'good', text });
export const bad = (text: string): Line => ({ tone: 'bad', text });
export const doubtful = (text: string): Line => ({ tone: 'doubtful', text });
export const plain = (text: string): Line => ({ tone: 'plain', text });
