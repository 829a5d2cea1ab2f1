import { attachablesOf } from '../../core/attachables.ts';
import { paths } from '../../core/paths.ts';
import type { Target } from '../../core/target.ts';
import type { Outcome } from '../measure/outcome.ts';
import type { MixEntry, OnceOperation } from '../profile/mix.ts';
import type { KnownSources } from './list-walk.ts';
import { attachmentRequest, type LoadRequest, type PlannedRequest, requestWithoutBody } from './load-request.ts';

/** Requests of which each uses up something that the target file declares. */
export type OnceRequests = {
  /** Another one; undefined while there is none. */
  readonly take: () => PlannedRequest | undefined;
  /** What a reader of the figures has to know, a sentence each. */
  readonly notes: () => readonly string[];
};

type Candidate = { readonly request: LoadRequest; readonly isThere: () => boolean };

/**
 * Undefined if the target file declares nothing to use up. A data source is deleted only after a list has shown it, because
 * an earlier run may have deleted it. No answer shows whether an organization is attached already.
 */
export function onceRequests(
  { operation, most }: Extract<MixEntry, { operation: OnceOperation }>,
  target: Target,
  timeoutMs: number,
  sources: KnownSources,
): OnceRequests | undefined {
  const candidates =
    operation === 'deleteDataSource' ? deletions(target, timeoutMs, sources) : attachments(target, timeoutMs);
  if (candidates.length === 0) return undefined;
  const used = new Set<Candidate>();
  let refused: Outcome | undefined;
  return {
    take() {
      const candidate = candidates.find((one) => !used.has(one) && one.isThere());
      if (candidate === undefined || used.size >= most) return undefined;
      used.add(candidate);
      return {
        kind: 'request',
        request: candidate.request,
        done(outcome) {
          if (outcome === 'unsent' || outcome === 429) used.delete(candidate);
          else if (typeof outcome === 'number' && outcome >= 400 && outcome < 500) refused = outcome;
        },
      };
    },
    notes: () => [
      ...(refused === undefined
        ? []
        : [`${operation} was refused (${refused}): an earlier run may have used up what the target file declares`]),
      ...(candidates.some((one) => one.isThere())
        ? []
        : [
            `${operation} is left out: no page that the load read shows a disposable data source; an earlier run may have used them up, or a longer load may see one`,
          ]),
    ],
  };
}

function deletions(
  { organizations, principals }: Target,
  timeoutMs: number,
  sources: KnownSources,
): readonly Candidate[] {
  return organizations.flatMap(({ id: organizationId, disposableDataSources }) => {
    const admin = principals.find(({ adminOf }) => adminOf.includes(organizationId));
    return admin === undefined
      ? []
      : disposableDataSources.map((id) => ({
          request: requestWithoutBody('deleteDataSource', admin, paths.dataSource(organizationId, id), timeoutMs),
          isThere: () => sources.get(organizationId)?.has(id) === true,
        }));
  });
}

function attachments(target: Target, timeoutMs: number): readonly Candidate[] {
  return attachablesOf(target).map((one) => ({ request: attachmentRequest(one, timeoutMs), isThere: () => true }));
}
