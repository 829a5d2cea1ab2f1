import type { Instrumenter } from '@stryker-mutator/instrumenter';
import { at, stringAt } from '../../core/json.ts';

type Ignorer = Parameters<Instrumenter['instrument']>[1]['ignorers'][number];

/** Names of what holds the text of a verdict. */
const named = ['expected', 'actual', 'reason'];

/** What stands in the text of a verdict, of an error or of an observation decides no verdict. */
export const texts: Ignorer = {
  shouldIgnore: (path) => {
    const [node, parent]: readonly unknown[] = [Reflect.get(path, 'node'), Reflect.get(path, 'parent')];
    return stringAt(node, 'type') === 'TemplateLiteral' && isText(parent) ? 'the text of a verdict' : undefined;
  },
};

function isText(parent: unknown): boolean {
  switch (stringAt(parent, 'type')) {
    case 'NewExpression':
      return /^(?:Violation|Late|Blocked|Away|\w*Error)$/.test(stringAt(parent, 'callee', 'name') ?? '');
    case 'CallExpression':
      return /^must|^observe$/.test(
        stringAt(parent, 'callee', 'name') ?? stringAt(parent, 'callee', 'property', 'name') ?? '',
      );
    case 'VariableDeclarator':
      return named.includes(stringAt(parent, 'id', 'name') ?? '');
    case 'ObjectProperty':
      return named.includes(stringAt(parent, 'key', 'name') ?? '') && at(parent, 'computed') === false;
    default:
      return false;
  }
}
