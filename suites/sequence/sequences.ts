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
  check('delete.gone-or-marked', using('deletions'), (api) => mustHold(api, 'delete.gone-or-marked', 'deletions')),
  check('delete.others-untouched', using('deletions'), (api) => mustHold(api, 'delete.others-untouched', 'deletions')),
  check('idempotency.after', using('messages'), (api) => mustHold(api, 'idempotency.after', 'messages')),
  check('idempotency.later', using('messages'), (api) => mustHold(api, 'idempotency.later', 'messages')),
  check('conflict.refused', { ...using('messages'), mayUse: ['deletions', 'attachments'] }, (api) =>
    mustHold(api, 'conflict.refused', 'messages'),
  ),
  check('attach.count', using('attachments'), (api) => mustHold(api, 'attach.count', 'attachments')),
  check('attach.twice', using('attachments'), (api) => mustHold(api, 'attach.twice', 'attachments')),
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

/** `effect` is the side effect without which the promise is never exercised. */
async function mustHold(api: Api, promise: SequencePromise, effect?: SideEffect): Promise<void> {
  const { kept, broken, obstacle, lacking } = await playedSequence(api);
  const found = broken.get(promise);
  if (found !== undefined) throw found;
  if (!kept.has(promise)) {
    const why = (effect && lacking.get(effect)) ?? obstacle;
    throw new Blocked(
      `the sequence never exercised it: ${why ?? 'declare more organizations, chats, disposable data sources and attachable organizations, unless the deployment leaves out a field that it needs, such as organizationCount'}`,
    );
  }
}
