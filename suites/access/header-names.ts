import { mustSucceed } from '../../engine/answer.ts';
import { as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { givenLongestList } from '../../stage/lists/lists.ts';

/** HTTP compares the names of headers without regard to case. */
export const headerNames: readonly Check[] = [
  check('access.granted', { on: 'listModels', variant: 'header-names' }, async (api) => {
    // The list was read with the names in lower case.
    const { admin, organizationId } = await givenLongestList(api, 'listModels', 0);
    const options = { headerNames: 'capitals' } as const;
    const answer = await api.listModels(as(admin), organizationId, { limit: 1 }, options);
    mustSucceed(answer, 'with the names of headers in capitals');
  }),
];
