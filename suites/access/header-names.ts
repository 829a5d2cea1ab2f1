import { mustSucceed } from '../../engine/answer.ts';
import { as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { givenLongestList } from '../../stage/lists/lists.ts';

/** HTTP compares the names of headers without regard to case. */
export const headerNames: readonly Check[] = [
  check('access.granted', { on: 'listModels', variant: 'header-names' }, async (api) => {
    // The list was read with the names as they are usually written.
    const { admin, organizationId } = await givenLongestList(api, 'listModels', 0);
    for (const headerNames of ['lower case', 'capitals'] as const) {
      const answer = await api.listModels(as(admin), organizationId, { limit: 1 }, { headerNames });
      mustSucceed(answer, `with the names of headers in ${headerNames}`);
    }
  }),
];
