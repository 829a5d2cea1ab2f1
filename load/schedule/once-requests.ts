import { attachablesOf } from '../../core/attachables.ts';
import { paths } from '../../core/paths.ts';
import type { Target } from '../../core/target.ts';
import type { Outcome } from '../measure/outcome.ts';
import type { MixEntry, OnceOperation } from '../profile/mix.ts';
import type { KnownSources } from './known-sources.ts';
import { attachmentRequest, type LoadRequest, type PlannedRequest, requestWithoutBody } from './load-request.ts';
import { searchDisposable } from './search-disposable.ts';

/** Requests of which each uses up something that the target file declares. */
export type OnceRequests = {
  /** Another one, or a request that looks for what can be used up; undefined while there is none. The warm-up uses up nothing. */
  readonly take: (isWarmUp: boolean) => PlannedRequest | undefined;
  /** The same until the first one was taken and not turned away: it is sent as soon as possible, so that a short load covers its operation. */
  readonly takeFirst: OnceRequests['take'];
  /** What a reader of the figures has to know, a sentence each. */
  readonly notes: () => readonly string[];
};

/** After a request that was turned away, this many others go first: a target that is too busy must not get this operation alone. */
const pauseRequests = 10;

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
  const search = operation === 'deleteDataSource' ? searchDisposable(target, timeoutMs, sources) : () => undefined;
  let pauseLeft = 0;
  let refused: Outcome | undefined;

  function take(isWarmUp: boolean): PlannedRequest | undefined {
    if (used.size >= most) return undefined;
    const candidate = candidates.find((one) => !used.has(one) && one.isThere());
    if (candidate === undefined) return search();
    if (isWarmUp) return undefined;
    used.add(candidate);
    return {
      kind: 'request',
      request: candidate.request,
      done(outcome) {
        if (outcome === 'unsent' || outcome === 429) {
          used.delete(candidate);
          pauseLeft = pauseRequests;
        } else if (typeof outcome === 'number' && outcome >= 400 && outcome < 500) {
          refused = outcome;
        }
      },
    };
  }

  function takeFirst(isWarmUp: boolean): PlannedRequest | undefined {
    if (used.size > 0) return undefined;
    if (pauseLeft === 0) return take(isWarmUp);
    pauseLeft -= 1;
    return undefined;
  }

  return {
    take,
    takeFirst,
    notes: () => [
      ...(refused === undefined
        ? []
        : [`${operation} was refused (${refused}): an earlier run may have used up what the target file declares`]),
      ...(candidates.some((one) => one.isThere())
        ? []
        : [
            `${operation} is left out: no page that the load read shows a disposable data source; an earlier run may have used them up`,
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
