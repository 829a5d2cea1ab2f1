import { must } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { type Deletion, fateOf, heardMs } from '../../stage/deletion/deletion.ts';
import type { Walk } from '../../stage/lists/lists.ts';
import type { Page } from '../../core/page.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';

/** The part of the list that was read; undefined if it could not be read. */
type Seen = Pick<Walk, 'items' | 'pages'> | undefined;

export function asSeen(page: Page | undefined): Seen {
  return page === undefined ? undefined : { items: page.items, pages: [page] };
}

/** The list must not show the deleted data source as before. */
export function mustBeDeleted({ disposable, deleted }: Deletion, when: string, ...walks: readonly Seen[]): void {
  const fate = fateOf(walks.at(-1)?.items ?? [], disposable);
  const expected = `${describe(disposable.id)} gone from the list or marked as deleted ${when}`;
  const pages = walks.flatMap((walk) => (walk?.pages ?? []).slice(0, 4).map(({ answer }) => answer));
  must(fate !== 'as before', expected, 'still listed as before', deleted, ...pages);
}

/** A replica may lag: if the data source is still listed, the list is read again once all replicas must show the deletion. */
export async function mustBeDeletedSoon(
  api: Api,
  deletion: Deletion,
  when: string,
  seen: Seen,
  look: () => Promise<Seen>,
): Promise<void> {
  const { disposable, deleted } = deletion;
  if (seen === undefined || fateOf(seen.items, disposable) !== 'as before') return;
  await api.session.clock.sleep(deleted.exchange.receivedAt + heardMs - api.session.clock.now());
  const again = await look();
  if (again === undefined) throw new Blocked('the list could not be read again after the deletion');
  mustBeDeleted(deletion, when, seen, again);
}
