/** What GitHub takes as the summary of a step, in bytes; it drops a longer one altogether. */
const maxBytes = 1024 * 1024;

/** Room for the sentence that says what was left out. */
const reserveBytes = 200;

/** Whole blocks, as many as GitHub takes. What is left out stands in the file `rest`. */
export function boundedMarkdown(blocks: readonly string[], rest: 'report.json' | 'load.json'): string {
  let bytes = 0;
  const fitting = blocks.findIndex((block) => {
    bytes += Buffer.byteLength(block) + 2;
    return bytes > maxBytes - reserveBytes;
  });
  if (fitting < 0) return `${blocks.join('\n\n')}\n`;
  const left = `_${blocks.length - fitting} further parts are in ${rest}: a summary holds no more._`;
  return `${[...blocks.slice(0, fitting), left].join('\n\n')}\n`;
}
