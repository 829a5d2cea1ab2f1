import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { shared } from '../../engine/fixture.ts';
import { givenAcceptedAttachment } from '../../stage/attachment/attachment.ts';
import { accountAtOnce } from '../../stage/attachment/counts.ts';
import { untilWatched } from './until-watched.ts';

/** The account of the recorded attachments, read several times at once in a run, when what was refused before them may have been done. */
export const givenWatchedAccount = shared(async (api: Api): Promise<readonly Answer[]> => {
  const { attachable, atLast } = await givenAcceptedAttachment(api);
  await untilWatched(api, [atLast]);
  return accountAtOnce(api, attachable);
});
