import { must } from '../../engine/answer.ts';
import { as, type Options } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { Blocked } from '../../engine/verdict.ts';
import { type Answer, summary } from '../../core/exchange.ts';
import { fateOf, givenAcceptedDeletion } from '../../stage/deletion/deletion.ts';
import { givenPageIn } from '../../stage/lists/pages.ts';
import { untilShown } from '../../stage/deletion/list-lag.ts';

/** The status that tells a client to use the answer that it has. */
const notModified = 304;

/**
 * A client that has a page asks whether it may still use it (RFC 9110, section 13). Once the data source is deleted, it may not use the
 * page that listed it.
 */
export const revalidated: Check = check(
  'delete.gone-or-marked',
  { phase: 'deletions', uses: ['deletions'], variant: 'revalidated', extended: true },
  async (api) => {
    const { disposable, before, deleted } = await givenAcceptedDeletion(api);
    const { organizationId, id, admin } = disposable;
    const { pages = [] } = before.sources.get(organizationId) ?? {};
    const place = pages.findIndex(({ items }) => items.some((item) => item.id === id));
    const old = pages[place]?.answer;
    const tag = old === undefined ? undefined : tagOf(old);
    if (old === undefined || tag === undefined) return;
    const cursor = pages[place - 1]?.nextCursor ?? undefined;
    const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const ask = (options?: Options): Promise<Answer> => api.listDataSources(as(admin), organizationId, query, options);
    const conditional = { headers: { 'if-none-match': tag }, judged: false };
    if ((await ask(conditional)).status !== notModified) return;
    await untilShown(api, deleted);
    const fresh = await ask();
    const { items } = givenPageIn({ list: 'listDataSources', organizationId }, fresh);
    if (fateOf(items, disposable) === 'as before')
      throw new Blocked('the page that listed the data source is as before: delete.gone-or-marked judges that');
    const last = await ask(conditional);
    const expected = 'the page as it is now, for a client that has it as it was before the deletion';
    must(last.status !== notModified, expected, summary(last), old, deleted, fresh, last);
  },
);

function tagOf({ exchange }: Answer): string | undefined {
  return exchange.outcome.kind === 'answered' ? exchange.outcome.response.headers['etag'] : undefined;
}
