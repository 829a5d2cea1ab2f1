import { clip } from './code-points.ts';
import type { Path } from './walk.ts';

const MAX_KEY_LENGTH = 60;

/**
 * A path as people write it: `data[3].columns[0].type`, and `(body)` for the root. With `collapse`, indices are left
 * out: `data[].columns[].type`. A key that is no identifier is quoted, and a key over 60 code points is cut, because
 * undeclared keys may be anything.
 */
export function pathText(path: Path, { collapse = false } = {}): string {
  if (path.length === 0) return '(body)';
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += collapse ? '[]' : `[${segment}]`;
    else if (!/^[\w$]{1,60}$/.test(segment)) text += `[${JSON.stringify(clip(segment, MAX_KEY_LENGTH))}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}
