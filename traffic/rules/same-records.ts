import { isSameTime } from '../../core/instant.ts';
import { at } from '../../core/json.ts';
import { createdOnce, type Showing, type Twice } from '../../promises/lists.ts';
import { type Found, type Recording, rule } from '../seen.ts';

/** Sections 2.1 and 2.5: a record is the same wherever it is shown. */
export const sameRecordRules = [rule(createdOnce, shownTwice)];

/** The records of each page that another page showed before. A record that is made anew under its ID also has another updatedAt. */
function shownTwice({ pages }: Recording): readonly Found<readonly Twice[]>[] {
  const shown = new Map<string, Showing>();
  return pages.map(({ recorded: { exchange, route }, page }) => {
    const subject = page.items.flatMap((item): readonly Twice[] => {
      const name = JSON.stringify([route.operation, route.ownerId, item.id]);
      const one = shown.get(name);
      const other = { item, page };
      if (one !== undefined && isSameTime(updatedAt(one), updatedAt(other)) === true) return [[one, other]];
      shown.set(name, other);
      return [];
    });
    return { subject, exchange };
  });
}

function updatedAt({ item }: Showing): unknown {
  return at(item.record, 'updatedAt');
}
