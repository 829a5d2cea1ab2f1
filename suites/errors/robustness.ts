import { mustFindNothing } from './must-find-nothing.ts';
import { must } from '../../engine/answer.ts';
import type { Answer } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { NotSent } from '../../engine/session/unanswered/breaker.ts';
import { check, type Check } from '../../engine/check.ts';
import { shared } from '../../engine/fixture.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { TransportError } from '../../core/http.ts';
import { shown } from '../../core/text.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
import { type Operation, operations } from '../../spec/requirement.ts';
import type { Target } from '../../core/target.ts';
import { readOperations } from '../access/access-matrix.ts';
import { contentTypeProblem } from '../../promises/json-content-type.ts';
import { givenFilterCases } from '../models/model-filters.ts';
import { beginningOf, resemblingIds, inOtherCase } from '../../stage/lists/unknown-id.ts';
import { someOf } from '../shared/some-of.ts';
import { keyholder, type Place, readablePlace, requestAt, unknownPlace } from '../shared/place.ts';

/** Ends a text of JSON or SQL, and begins an escape sequence, where it is inserted without escaping. */
const quoted = `awc '"odd--\\`;

/** Other valid path parameters that no resource has as its ID; each is percent-encoded where necessary. */
const oddIds = [
  'awc/odd',
  '../awc-odd',
  'awc\u0000odd',
  'awc odd\n',
  'awc%2Fodd%',
  'awc?odd#&=;',
  'авк-数据-😀-é',
  'a'.repeat(2000),
] as const;

/** Matches every ID where it is read as a pattern. */
const pattern = '%';

/**
 * Unknown IDs that match an existing one if a store pads, truncates, casts or folds texts, or matches patterns. Only for reads:
 * writes could take effect. An ID that is declared too is not unknown.
 */
function nearlyIds({ session: { target } }: Api, id: string, tail = 'x'): readonly string[] {
  const swapped = inOtherCase(id);
  const isUnknown = swapped !== undefined && !declaredIn(target).includes(swapped);
  return [`${id} `, `${id}\u0000`, `${id}${tail}`, pattern, ...(isUnknown ? [swapped] : [])];
}

/** The IDs of organizations and billing accounts that the target file names. */
function declaredIn(target: Target): readonly string[] {
  return [...target.organizations, ...target.billingAccounts].map(({ id }) => id);
}

/**
 * The same for a path, or also if a store looks for the beginning of an ID. Those with another end are left out of the operations
 * whose checks of unknown IDs ask for them.
 */
function nearlyIdsOfPath(api: Api, operation: Operation): readonly string[] {
  const id = readablePlace(api, keyholder(api))[subjects[operation]];
  const declared = declaredIn(api.session.target);
  const cut = beginningOf(id, declared, 'some');
  const nearly = shareOf(operation, [...nearlyIds(api, id), ...(cut === undefined ? [] : [cut])], readOperations);
  const isTried = operation !== 'listDataSources';
  return isTried ? nearly.filter((one) => !resemblingIds(id, declared).includes(one)) : nearly;
}

/** Makes an ID longer than columns usually are. */
const longTail = 'x'.repeat(255);

/** The IDs for one operation. Those of the operations that look the same thing up share them, so that each ID is looked up in every way. */
function shareOf(
  operation: Operation,
  ids: readonly string[],
  among: readonly Operation[] = operations,
): readonly string[] {
  const sharing = among.filter((other) => subjects[other] === subjects[operation]);
  return ids.filter((_, index) => index % sharing.length === sharing.indexOf(operation));
}

/** The ID of each operation's path that the odd ID replaces. */
const subjects: Readonly<Record<Operation, keyof Place>> = {
  listModels: 'organizationId',
  listDataSources: 'organizationId',
  getBillingAccount: 'billingAccountId',
  attachOrganization: 'billingAccountId',
  sendMessage: 'chatId',
  deleteDataSource: 'sourceId',
};

/** Operations that are asked about fewer odd IDs, because another one that is implemented alike is asked about the rest. */
const fewer: readonly Operation[] = ['listDataSources', 'getBillingAccount', 'attachOrganization'];

/** Section 4: path parameters are strings with any content. */
const oddPaths: readonly Check[] = operations.map((operation) =>
  check('robustness.odd-ids', { on: operation }, async (api) => {
    mustFindNothing(await askAboutQuoted(api, operation), `the ID ${shown(quoted, 30)}`);
    const isRead = readOperations.some((read) => read === operation);
    const nearly = isRead ? nearlyIdsOfPath(api, operation) : [];
    for (const id of [...someOf(operation, shareOf(operation, oddIds), fewer.includes(operation) ? 2 : 3), ...nearly]) {
      mustFindNothing(await askAbout(api, operation, id), `the ID ${shown(id, 30)}`);
    }
  }),
);

export const robustness: readonly Check[] = [
  ...oddPaths,

  check('robustness.odd-ids', { on: 'listModels', variant: 'filtered', extended: true }, async (api) => {
    const cases = await givenFilterCases(api);
    const [known] = cases;
    if (known === undefined) throw new Blocked('needs an organization with a data source');
    const { list, sourceId } = known;
    // models.unknown-data-source asks for what is a pattern, and in the other case.
    const asked = [pattern, inOtherCase(sourceId)];
    const isAnother = (id: string) => cases.some((one) => one.sourceId === id);
    const nearly = nearlyIds(api, sourceId, longTail).filter((id) => !asked.includes(id) && !isAnother(id));
    for (const databaseConnectionId of nearly) {
      const query = { limit: 1, databaseConnectionId };
      const answer = await api.listModels(as(list.admin), list.organizationId, query, { judged: false });
      mustFindNothing(answer, `a filter by the ID ${shown(databaseConnectionId, 30)}`);
    }
  }),

  check('robustness.json', { variant: 'quoted', extended: true }, async (api) => {
    for (const operation of operations) mustParse(await askAboutQuoted(api, operation));
    const caller = as(keyholder(api));
    const { organizationId } = readablePlace(api, keyholder(api));
    const options = { judged: false } as const;
    mustParse(await api.listModels(caller, organizationId, { cursor: quoted }, options));
    mustParse(await api.listModels(caller, organizationId, { databaseConnectionId: quoted }, options));
    mustParse(await api.listDataSources(caller, organizationId, { cursor: quoted }, options));
    const { billingAccountId } = unknownPlace(api);
    mustParse(await api.attachOrganization(caller, billingAccountId, { organizationId: quoted }, options));
  }),
];

/** The answer about the quoted ID, asked for once in a run. */
const askAboutQuoted = shared((api: Api, operation: string): Promise<Answer> => {
  const [asked = operations[0]] = operations.filter((known) => known === operation);
  return askAbout(api, asked, quoted);
});

/** A gateway may refuse such a request with a body of its own, which must match its content type. */
function mustParse(answer: Answer): void {
  const isMeant = contentTypeProblem(answer.headers['content-type']) === undefined;
  const expected = `JSON, as the content type says, for the ID ${shown(quoted, 30)}`;
  must(!isMeant || answer.problem === undefined, expected, answer.problem ?? '', answer);
}

/**
 * The answer to a request about an odd ID. A proxy, router or framework may refuse such a path before the API sees it, so
 * no other promise is held against it. No answer at all, or only a gateway's, twice, is as bad as a wrong one. Nothing has such
 * an ID, so that asking again does no harm.
 */
async function askAbout(api: Api, operation: Operation, id: string): Promise<Answer> {
  const principal = keyholder(api);
  const place = { ...readablePlace(api, principal), [subjects[operation]]: id };
  const ask = (): Promise<Answer> => requestAt(api, operation, as(principal), place, { judged: false });
  try {
    const answer = await ask();
    if (!isGateways(answer)) return answer;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
  }
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof TransportError) || error.failure === 'refused' || error instanceof NotSent) throw error;
    throw new Violation(`an answer for the ID ${shown(id, 30)}`, error.failure);
  }
}
