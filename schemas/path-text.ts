import { clip } from './code-points.ts';
import type { Path } from './walk.ts';

const MAX_KEY_LENGTH = 60;

/**
 * A path as people write it, such as `data[3].columns[0].type`; `(body)` for the root. With `collapse`, it has no indices, as in
 * `data[].columns[].type`. A key that is not an identifier is quoted, and a key of more than 60 code points is cut, because an
 * undeclared key may be anything.
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
