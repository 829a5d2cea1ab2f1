/** Prompts for which the embedded assistant is quick or slow. */
export const prompts = { quick: 'Reply with ok.', slow: 'Analyse every model in depth.' } as const;
