import { expect, test } from 'vitest';
import { attachablesOf } from './attachables.ts';

const principal = (name: string, ...adminOf: string[]) => ({ name, key: name, variable: `$${name}`, adminOf });

/** Accounts of one owner by the names of their organizations; those that begin with `open` have an outsider. */
function firstOf(...accounts: readonly (readonly string[])[]): string | undefined {
  const billingAccounts = accounts.map((attachable) => ({ id: attachable.join(' '), owner: 'owner', attachable }));
  const open = accounts.flat().filter((id) => id.startsWith('open'));
  const principals = [principal('admin', 'owner', ...accounts.flat()), principal('outsider', ...open)];
  return attachablesOf({ billingAccounts, principals })[0]?.billingAccountId;
}

test('the account with most organizations comes first, unless another one has enough and an outsider', () => {
  expect(firstOf(['a'], ['b', 'c'], ['d'])).toBe('b c');
  expect(firstOf(['a', 'b', 'c', 'd', 'e', 'f'], ['g', 'h', 'i', 'open'])).toBe('g h i open');
  expect(firstOf(['a', 'b', 'c', 'd'], ['e', 'f', 'open'])).toBe('a b c d');
  expect(firstOf(['a', 'b'], ['open', 'd'], ['e', 'f', 'g'])).toBe('e f g');
  expect(firstOf(['open 1', 'b', 'c', 'd'], ['open 2', 'f', 'g', 'h', 'i'])).toBe('open 2 f g h i');
});

test('an organization without an admin of both sides counts nothing', () => {
  const billingAccounts = [
    { id: 'one', owner: 'owner', attachable: ['a', 'b'] },
    { id: 'another', owner: 'owner', attachable: ['c'] },
  ];
  const found = attachablesOf({ billingAccounts, principals: [principal('admin', 'owner', 'c')] });
  expect(found.map(({ organizationId }) => organizationId)).toEqual(['c']);
});
