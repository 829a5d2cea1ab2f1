import type { Principal, Target } from '../../core/target.ts';

/**
 * An organization that the principal is admin of: if possible one in which the target file declares something to use up,
 * because the lists of another one may be empty.
 */
export function homeOf({ organizations }: Pick<Target, 'organizations'>, { adminOf }: Principal): string | undefined {
  const isInUse = (id: string) =>
    organizations.some((one) => one.id === id && one.chats.length + one.disposableDataSources.length > 0);
  return adminOf.find(isInUse) ?? adminOf[0];
}
