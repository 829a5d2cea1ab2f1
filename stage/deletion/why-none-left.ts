import type { Api } from '../../engine/api.ts';
import { givenLists } from '../lists/lists.ts';
import { declaring } from './declared.ts';
import { type Disposable, stillListed } from './still-listed.ts';

/** Why no data source is left to delete. `isGone` says of which one only others can have deleted it. */
export async function whyNoneLeft(api: Api, isGone: (disposable: Disposable) => boolean): Promise<string> {
  const organizations = declaring(api.session);
  if (organizations.length === 0) {
    return 'no data source may be deleted: declare organizations.<id>.disposableDataSources for an organization that a principal is adminOf';
  }
  const lists = await givenLists(api, 'listDataSources');
  const unread = organizations.filter(({ id }) => lists.every(({ organizationId }) => organizationId !== id));
  if (unread.length > 0) return `the data sources of ${unread.map(({ id }) => id).join(', ')} could not be listed`;
  const listed = await stillListed(api);
  const gone = listed.find(isGone);
  if (gone !== undefined)
    return `data source ${gone.id} of ${gone.organizationId} disappeared during the run, and no other one is left: other traffic deletes; run the suite alone, or declare more under organizations.<id>.disposableDataSources`;
  return listed.length === 0
    ? 'no declared disposable data source is listed any more, or all are marked as deleted: an earlier run used them up; declare others under organizations.<id>.disposableDataSources'
    : 'this run used up every disposable data source: declare more under organizations.<id>.disposableDataSources';
}
