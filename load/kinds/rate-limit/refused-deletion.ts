import { as } from '../../../engine/api.ts';
import { at, parseJson, stringAt } from '../../../core/json.ts';
import { paths } from '../../../core/paths.ts';
import type { Principal, Target } from '../../../core/target.ts';
import type { Expectation, LoadRequest } from '../../schedule/load-request.ts';
import { refusedWritesName, type RefusedWrite, unclear, type WriteOptions } from './refused-write.ts';
import { sendPatiently } from './send-patiently.ts';

/** Pages that are looked through for a data source. */
const maxPages = 5;
const pageLimit = 100;

/** A deletion of a disposable data source; undefined where none may be deleted. */
export function refusedDeletion(options: WriteOptions): RefusedWrite | undefined {
  const { target, principal, limited } = options;
  const source = target.allow.has('deletions') ? disposableOf(target, principal) : undefined;
  if (source === undefined) return undefined;
  const { organizationId, id } = source;

  /** Undefined where the list cannot be read. */
  async function isListed(): Promise<boolean | undefined> {
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const query = cursor === undefined ? { limit: pageLimit } : { limit: pageLimit, cursor };
      const expectation: Expectation = { operation: 'listDataSources', organizationId, limit: pageLimit };
      const path = paths.dataSources(organizationId, query);
      const arrived = await sendPatiently(limited, requestOf('GET', path, expectation, options));
      if (arrived.outcome !== 200) return undefined;
      const body = parseJson(Buffer.concat(arrived.body)).value;
      const data = at(body, 'data');
      if (Array.isArray(data) && data.some((item) => stringAt(item, 'id') === id)) return true;
      cursor = stringAt(body, 'pagination', 'nextCursor');
      if (cursor === undefined) return false;
    }
    return undefined;
  }

  return {
    prepare: async () => (await isListed()) === true,
    async attempt() {
      const path = paths.dataSource(organizationId, id);
      const { shot } = await limited.send(requestOf('DELETE', path, { operation: 'deleteDataSource' }, options));
      return shot.kind === 'limited';
    },
    async verify() {
      const listed = await isListed();
      if (listed === undefined) return unclear('the list of data sources could not be read again');
      return listed
        ? { name: refusedWritesName, value: 'a deletion that got 429 deleted nothing', verdict: 'good' }
        : { name: refusedWritesName, value: 'a deletion that got 429 deleted the data source', verdict: 'bad' };
    },
  };
}

function disposableOf({ organizations }: Target, { adminOf }: Principal) {
  const found = organizations.find((one) => adminOf.includes(one.id) && one.disposableDataSources.length > 0);
  const id = found?.disposableDataSources[0];
  return found === undefined || id === undefined ? undefined : { organizationId: found.id, id };
}

function requestOf(
  method: 'GET' | 'DELETE',
  path: string,
  expectation: Expectation,
  options: WriteOptions,
): LoadRequest {
  const { principal, timeoutMs } = options;
  const headers = { accept: 'application/json', authorization: as(principal).authorization ?? '' };
  const request = { method, path, headers, timeoutMs };
  return { operation: expectation.operation, caller: principal.name, request, expectation, repeats: false };
}
