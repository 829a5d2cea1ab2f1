import { type Answer, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { shared } from '../../engine/fixture.ts';
import { Blocked } from '../../engine/verdict.ts';
import { noSecret, sourceDateTimes, sourceSenses, sourceTypes } from '../../promises/data-sources.ts';
import { givenAcceptedDeletion } from '../../stage/deletion/deletion.ts';
import { type ReadRecord, recordsIn } from '../../promises/records.ts';
import { givenLongestList } from '../../stage/lists/lists.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { givenRecords, smallerPages } from '../models/listed-records.ts';
import { browserRead } from '../errors/browser-reads.ts';
import { mustKeep } from '../shared/must-keep.ts';

/** Section 2.5: every data source on every page of every organization that can be read. */
export const dataSources: readonly Check[] = [
  ...[sourceTypes, sourceDateTimes].map((promise) =>
    check(promise.requirement, async (api) => {
      for (const source of await givenSources(api)) mustKeep(promise, source, source.answer);
    }),
  ),

  // Libraries write times in the language of the client.
  check('sources.date-times', { phase: 'last', variant: 'to-a-browser', extended: true }, async (api) => {
    const answer = await browserRead(api, 'listDataSources');
    const sources = recordsIn(answer);
    if (sources.length === 0) throw new Blocked(`no data source is listed to a browser: ${summary(answer)}`);
    for (const source of sources) mustKeep(sourceDateTimes, source, answer);
  }),

  check('sources.no-secret', { on: 'listDataSources' }, async (api) => {
    const answers = new Set((await givenSources(api)).map(({ answer }) => answer));
    for (const answer of answers) mustKeep(noSecret, answer, answer);
  }),

  check('sources.no-secret', { on: 'deleteDataSource', phase: 'deletions', uses: ['deletions'] }, async (api) => {
    const { deleted } = await givenAcceptedDeletion(api);
    mustKeep(noSecret, deleted, deleted);
  }),

  ...sourceSenses.map((promise) =>
    check(promise.requirement, async (api) => {
      const sources = await givenSources(api);
      const spoke = sources.map((source) => mustKeep(promise, source, source.answer));
      if (!spoke.includes(true)) throw new Blocked(`no data source has ${promise.needed}`);
    }),
  ),
];

const afterDeletion = { phase: 'deletions', uses: ['deletions'], variant: 'after-deletion', extended: true } as const;

/** The data sources that are listed after a deletion: a cleanup job may write to more than the deleted one. */
export const dataSourcesAfterDeletion: readonly Check[] = [
  ...[sourceTypes, sourceDateTimes].map((promise) =>
    check(promise.requirement, afterDeletion, async (api) => {
      const { answers, deleted } = await givenAfterDeletion(api);
      for (const source of answers.flatMap(recordsIn)) mustKeep(promise, source, deleted, source.answer);
    }),
  ),

  check('sources.no-secret', { ...afterDeletion, on: 'listDataSources' }, async (api) => {
    const { answers, deleted } = await givenAfterDeletion(api);
    for (const answer of answers) mustKeep(noSecret, answer, deleted, answer);
  }),
];

/** A deletion, and the pages of data sources that were read after it. */
async function givenAfterDeletion(
  api: Api,
): Promise<{ readonly answers: readonly Answer[]; readonly deleted: Answer }> {
  const { atLast, deleted } = await givenAcceptedDeletion(api);
  const answers = [...atLast.sources.values()].flatMap(({ pages }) => pages.map(({ answer }) => answer));
  if (answers.flatMap(recordsIn).length === 0) throw new Blocked('no data source is listed after the deletion');
  return { answers, deleted };
}

/** The data sources of every readable organization, pages of one, and pages without a limit, which may be made elsewhere. */
const givenSources = shared(async (api: Api): Promise<readonly ReadRecord[]> => {
  const records = await givenRecords(api, 'listDataSources');
  const longest = await unlessBlocked(() => givenLongestList(api, 'listDataSources', 1));
  if (longest === undefined) return records;
  return [...records, ...(await smallerPages(api, longest)).flatMap(recordsIn)];
});
