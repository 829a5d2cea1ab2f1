import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { mustNotSucceed } from '../../engine/answer.ts';
import { isSuccess } from '../../core/exchange.ts';
import { shown } from '../../core/text.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { wasWrittenTo } from '../../engine/session/seen-messages.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenChat, makeIdle } from '../../stage/chats/conversation.ts';
import { loseTrack, quiet } from '../../stage/chats/sending.ts';
import { givenAcceptedDeletion } from '../../stage/deletion/deletion.ts';
import { discardDisposable, givenDisposable, secondDisposable } from '../../stage/deletion/disposables.ts';
import { givenLists } from '../../stage/lists/lists.ts';
import { inexactIds, isSurelyAnother } from '../../stage/lists/unknown-id.ts';

const deletions = { phase: 'deletions', uses: ['deletions'], extended: true } as const;

/** Later, when the chat has accepted a message: without that, its refusals show nothing. */
const laterMessages = { phase: 'later', uses: ['messages'], extended: true } as const;

/** Sections 2 and 4: a write to an ID that is nearly one that exists. Identifiers are strings, so their case and their end count. */
export const inexactWrites: readonly Check[] = [
  check('delete.unknown', { ...deletions, variant: 'inexact' }, async (api) => {
    await givenAcceptedDeletion(api);
    const disposable = (await secondDisposable(api)) ?? (await givenDisposable(api));
    const { organizationId, admin, id: like } = disposable;
    for (const id of givenOthers(like, inexactIds(like, await allSourcesOf(api, organizationId), 'all'))) {
      // Its record has the ID of the data source, not the one that was asked for.
      const answer = await api.deleteDataSource(as(admin), organizationId, id, { judged: false });
      if (isSuccess(answer)) discardDisposable(api, disposable);
      mustNotSucceed(answer, whereExists(id, like));
    }
  }),

  check('messages.unknown-chat', { ...laterMessages, variant: 'inexact' }, async (api) => {
    const { target, chats } = api.session;
    const declared = target.organizations.flatMap((organization) => organization.chats);
    const inexactOf = ({ chatId }: Chat): readonly string[] => inexactIds(chatId, declared, 'some');
    const wanted = chats.all
      .filter(({ chatId }) => wasWrittenTo(api.session, chatId))
      .toSorted((one, other) => inexactOf(other).length - inexactOf(one).length);
    if (wanted.length === 0) throw new Blocked('no chat has accepted a message');
    const chat = await givenChat(api, (one) => one === wanted[0]);
    const { organizationId, chatId: like, admin } = chat;
    const message = target.assistant.quickPrompt;
    for (const id of givenOthers(like, inexactOf(chat))) {
      const nearly = { organizationId, chatId: id };
      const sendIt = () => api.sendMessage(as(admin), nearly, { message, key: api.freshKey() }, { judged: false });
      let answer = await sendIt();
      if (answer.status === 409) {
        // The chat may be found, and be busy.
        await makeIdle(api, chat);
        await quiet(api, chat);
        answer = await sendIt();
      }
      if (isSuccess(answer)) loseTrack(api, chat);
      mustNotSucceed(answer, whereExists(id, like));
    }
  }),
];

const whereExists = (id: string, like: string): string =>
  `for the ID ${shown(id, 60)}, where ${shown(like, 60)} exists`;

/** Those that are surely not another way to write the ID. */
function givenOthers(like: string, inexact: readonly string[]): readonly string[] {
  const others = inexact.filter((id) => isSurelyAnother(id, like));
  if (others.length > 0) return others;
  throw new Blocked('the ID without its last character, or in the other case, may be another one, or the same');
}

/** The IDs of all data sources of the organization. Blocked if its list is not read to its end: another one may have such an ID. */
async function allSourcesOf(api: Api, organizationId: string): Promise<readonly string[]> {
  const lists = await givenLists(api, 'listDataSources');
  const own = lists.find((list) => list.organizationId === organizationId);
  if (own?.walk.complete === true) return own.walk.items.map(({ id }) => id);
  throw new Blocked(
    `the data sources of ${organizationId} are too many to know that no other one has nearly the same ID`,
  );
}
