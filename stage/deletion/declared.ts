import type { Api } from '../../engine/api.ts';
import type { Session } from '../../engine/session/session.ts';
import type { Organization } from '../../core/target.ts';

/** Whether the target file allows the suite to delete it. */
export function isDeclared({ session }: Api, organizationId: string, id: string): boolean {
  const organization = session.target.organizations.find((one) => one.id === organizationId);
  return organization?.disposableDataSources.includes(id) ?? false;
}

/** Why a loss of nothing but what {@link isDeclared} is no evidence. */
export function whyDisposable(organizationId: string): string {
  return `only data sources of ${organizationId} that are declared disposable are gone, or their models: another run with the same target file may have deleted them; let no two runs overlap`;
}

/** The organizations with data sources to delete and a principal that may delete them. */
export function declaring({ target }: Session): readonly Organization[] {
  return target.organizations
    .filter(({ id }) => target.principals.some(({ adminOf }) => adminOf.includes(id)))
    .filter(({ disposableDataSources }) => disposableDataSources.length > 0);
}
