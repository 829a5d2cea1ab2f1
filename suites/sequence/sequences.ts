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
 * Promises that hold whatever happened before: a drawn sequence of messages, repetitions, pages, deletions and attachments
 * by several principals is played once, and every answer is held against a model of what was done.
 */
export const sequences: readonly Check[] = [
  ...listOperations.map((list) =>
    check('paging.any-id-is-cursor', (api) => mustHold(api, `paging.any-id-is-cursor/${list}`), {
      ...using(),
      on: list,
    }),
  ),
  check('models.filter', (api) => mustHold(api, 'models.filter'), using()),
  check('delete.gone-or-marked', (api) => mustHold(api, 'delete.gone-or-marked'), using('deletions')),
  check('delete.others-untouched', (api) => mustHold(api, 'delete.others-untouched'), using('deletions')),
  check('idempotency.after', (api) => mustHold(api, 'idempotency.after'), using('messages')),
  check('idempotency.later', (api) => mustHold(api, 'idempotency.later'), using('messages')),
  check('attach.count', (api) => mustHold(api, 'attach.count'), using('attachments')),
  check('attach.twice', (api) => mustHold(api, 'attach.twice'), using('attachments')),
  check('access.denied', (api) => mustHold(api, 'access.denied/listDataSources'), {
    ...using(),
    on: 'listDataSources',
  }),
];

async function mustHold(api: Api, promise: SequencePromise): Promise<void> {
  const { kept, broken } = await playedSequence(api);
  const found = broken.get(promise);
  if (found !== undefined) throw found;
  if (!kept.has(promise)) {
    throw new Blocked(
      'the sequence never exercised it: declare more organizations, chats, disposable data sources and attachable organizations, unless the deployment leaves out a field that it needs, such as organizationCount',
    );
  }
}
