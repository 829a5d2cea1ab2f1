import { check, type Check } from '../../engine/check.ts';
import { listOperations } from '../../core/page.ts';
import type { SideEffect } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';
import { playedSequence } from './played-sequence.ts';
import type { SequencePromise } from './sequence-promises.ts';
import type { Api } from '../../engine/api.ts';

const options = { phase: 'changes', variant: 'in-sequence', extended: true } as const;

function using(...uses: readonly SideEffect[]) {
  return { ...options, uses };
}

/**
 * Requirements that hold whatever happened before: a drawn sequence of messages, repetitions, pages, deletions and attachments
 * by several principals is played once, and every answer is held against a model of what was done.
 */
export const sequences: readonly Check[] = [
  ...listOperations.map((list) =>
    check(
      'paging.any-id-is-cursor',
      {
        ...using(),
        on: list,
      },
      (api) => mustHold(api, `paging.any-id-is-cursor/${list}`),
    ),
  ),
  check('models.filter', using(), (api) => mustHold(api, 'models.filter')),
  check('delete.gone-or-marked', using('deletions'), (api) => mustHold(api, 'delete.gone-or-marked')),
  check('delete.others-untouched', using('deletions'), (api) => mustHold(api, 'delete.others-untouched')),
  check('idempotency.after', using('messages'), (api) => mustHold(api, 'idempotency.after')),
  check('idempotency.later', using('messages'), (api) => mustHold(api, 'idempotency.later')),
  check('conflict.refused', { ...using('messages'), mayUse: ['deletions', 'attachments'] }, (api) =>
    mustHold(api, 'conflict.refused'),
  ),
  check('attach.count', using('attachments'), (api) => mustHold(api, 'attach.count')),
  check('attach.twice', using('attachments'), (api) => mustHold(api, 'attach.twice')),
  check(
    'access.denied',
    {
      ...using(),
      on: 'listDataSources',
    },
    (api) => mustHold(api, 'access.denied/listDataSources'),
  ),
  check('access.models-404', using(), (api) => mustHold(api, 'access.models-404')),
];

async function mustHold(api: Api, promise: SequencePromise): Promise<void> {
  const { kept, broken } = await playedSequence(api);
  const found = broken.get(promise);
  if (found !== undefined) throw found;
  if (!kept.has(promise)) {
    throw new Blocked(
      'the sequence never exercised it: declare more organizations, chats, disposable data sources and attachable organizations, unless no message could be followed or the deployment leaves out a field that it needs, such as organizationCount',
    );
  }
}
