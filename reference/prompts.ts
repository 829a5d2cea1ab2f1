/** What makes the embedded assistant quick or slow. */
export const prompts = { quick: 'Reply with ok.', slow: 'Analyse every model in depth.' } as const;
