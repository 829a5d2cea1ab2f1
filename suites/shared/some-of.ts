import { type Operation, operations } from '../../spec/requirement.ts';

/**
 * The cases that one operation is tried with. Operations usually share code, such as the code that reads a key or a page. So the first
 * operation gets every case, and each other operation gets `most` of them in turn.
 */
export function someOf<One>(operation: Operation, all: readonly One[], most: number): readonly One[] {
  const turn = operations.indexOf(operation) - 1;
  if (turn < 0) return all;
  return all.filter((_, index) => (index + turn * (all.length - most)) % all.length < most);
}
