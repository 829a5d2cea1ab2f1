/** GitHub drops a longer step summary. */
const maxBytes = 1024 * 1024;

/** Room for the last sentence. */
const reserveBytes = 200;

/** As many whole blocks as GitHub accepts. The file `rest` has the others. */
export function boundedMarkdown(blocks: readonly string[], rest: 'report.json' | 'load.json'): string {
  let bytes = 0;
  const fitting = blocks.findIndex((block) => {
    bytes += Buffer.byteLength(block) + 2;
    return bytes > maxBytes - reserveBytes;
  });
  if (fitting < 0) return `${blocks.join('\n\n')}\n`;
  const left = `_This summary is full: ${rest} has ${blocks.length - fitting} more parts._`;
  return `${[...blocks.slice(0, fitting), left].join('\n\n')}\n`;
}
