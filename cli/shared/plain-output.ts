import type { Output } from './context.ts';

/** Two number signs before a bracket, as in `##[group]` and `##vso[task.complete]`: a command anywhere in a line. */
const commandAnywhere = /##(?=\w*\[)/g;

/** Two colons at the beginning of a line, as in `::error::`, behind spaces and colours. */
const commandAtStart = /^((?:\s|\u001b\[[\d;]*m)*):(?=:)/gm;

/**
 * The stream for text that people read. The text can have names, paths and answers from elsewhere, and the log of a CI system
 * takes some of them as commands; a space between their marks prevents this.
 */
export function plainOutput(stream: Output): Output {
  function write(text: string | Uint8Array): boolean {
    return stream.write(typeof text === 'string' ? withoutCommands(text) : text);
  }
  return new Proxy(stream, {
    get: (own, name) => (name === 'write' ? write : Reflect.get(own, name, own)),
  });
}

function withoutCommands(text: string): string {
  return text.replace(commandAnywhere, '# #').replace(commandAtStart, '$1: ');
}
