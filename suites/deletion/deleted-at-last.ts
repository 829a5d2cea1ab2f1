import { check, type Check } from '../../engine/check.ts';
import { fateOf, givenAcceptedDeletion } from '../../stage/deletion/deletion.ts';
import { hasHeard, untilHeard } from '../../stage/deletion/list-lag.ts';
import { givenSourcesAtLast } from './late-overreach.ts';
import { lookAtItsPlace, mustBeDeleted, mustHaveDeleted, mustNotKeepDeleted } from './must-be-deleted.ts';

const options = { uses: ['deletions'] } as const;

/**
 * Section 4.6: the place of the deleted data source. The first check of its phase, because an admin who sent nothing for a while may be
 * shown an old list once.
 */
export const deletedLater: Check = check(
  'delete.gone-or-marked',
  { ...options, phase: 'later', variant: 'later' },
  async (api) => {
    const deletion = await givenAcceptedDeletion(api);
    const { disposable, deleted } = deletion;
    const seen = await lookAtItsPlace(api, deletion);
    const kept = seen.filter(({ items }) => fateOf(items, disposable) === 'as before');
    if (kept.length === 0) return;
    const answers = kept.flatMap(({ pages }) => pages.map(({ answer }) => answer));
    const isHeard = hasHeard(deleted, answers);
    if (!isHeard) await untilHeard(api, deleted);
    const last = isHeard ? kept : await lookAtItsPlace(api, deletion);
    for (const walk of last) mustBeDeleted(deletion, 'when every copy of the list must show it', walk);
  },
);

/** Every deletion of the run, after everything: the whole lists, and the pages that many clients read. */
export const deletedAtLast: Check = check(
  'delete.gone-or-marked',
  { ...options, phase: 'last', variant: 'at-last' },
  async (api) => {
    const { deletion, sources } = await givenSourcesAtLast(api);
    await mustHaveDeleted(api, deletion, sources);
    await mustNotKeepDeleted(api, deletion);
  },
);
