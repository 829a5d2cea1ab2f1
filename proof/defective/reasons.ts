import { ofAnswered } from './answered.ts';
import { ofDeclared } from './declared.ts';
import type { defective } from './deployments.ts';
import { ofInside } from './inside.ts';

/** What checks are blocked by where a deployment answers oddly or little is declared, by their ids: a part of each reason. */
export const reasons: Readonly<Record<keyof typeof defective, Readonly<Record<string, string>>>> = {
  ...ofDeclared,
  ...ofAnswered,
  ...ofInside,
};
