import { type Operation, operations } from '../../spec/requirement.ts';

/**
 * What one operation is tried with where operations usually share code, as for reading a key or a page: the first operation gets
 * everything, each other one `most` of it in turn.
 */
export function someOf<One>(operation: Operation, all: readonly One[], most: number): readonly One[] {
  const turn = operations.indexOf(operation) - 1;
  if (turn < 0) return all;
  return all.filter((_, index) => (index + turn * (all.length - most)) % all.length < most);
}
