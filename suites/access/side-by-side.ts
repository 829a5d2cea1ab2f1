import { mustNotSucceed, mustStatus, mustSucceed } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { eachAtOnce } from '../../engine/at-once.ts';
import { check, type Check } from '../../engine/check.ts';
import { shared } from '../../engine/fixture.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import type { Principal } from '../../core/target.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { Blocked } from '../../engine/verdict.ts';
import { readablePlace, requestAt } from '../shared/place.ts';
import { givenDenied, givenGranted, type ReadOperation, readOperations } from './access-matrix.ts';

/** How often the requests of an operation go out together: they may miss each other. */
const rounds = { listModels: 2, listDataSources: 1, getBillingAccount: 1 } as const;

type Beside = {
  readonly resource: string;
  readonly stranger: Principal;
  /** Those of the admin, and of another one if there is one. */
  readonly ofAdmins: readonly Answer[];
  readonly ofStranger: readonly Answer[];
};

/** Requests for one resource by an admin and by a stranger, at the same instant; the last time also by another admin. */
const givenBeside = shared(async (api: Api, name: string): Promise<Beside> => {
  const operation = readOperations.find((known) => known === name) ?? 'listModels';
  const granted = (await givenGranted(api, operation)).filter(({ answer }) => isSuccess(answer));
  const adminsOf = (id: string): number => granted.filter(({ resource }) => resource === id).length;
  const refused = (await givenDenied(api, operation)).filter(
    ({ resource, answer }) => !isSuccess(answer) && adminsOf(resource) > 0,
  );
  const denied = refused.find(({ resource }) => adminsOf(resource) > 1) ?? refused[0];
  const open = granted.find(({ resource }) => resource === denied?.resource);
  if (denied === undefined || open === undefined)
    throw new Blocked('no resource was shown to its admin and refused to another principal');
  const { resource, principal: stranger } = denied;
  const admin = open.principal;
  const place = { ...readablePlace(api, admin), organizationId: resource, billingAccountId: resource };
  const other = granted.find((cell) => cell.resource === resource && cell.principal !== admin)?.principal;
  const answers: { readonly caller: Principal; readonly answer: Answer }[] = [];
  for (let round = 0; round < rounds[operation]; round += 1) {
    // Each meets the other one before and after itself.
    const isLast = operation !== 'getBillingAccount' && round === rounds[operation] - 1;
    const callers = [stranger, admin, stranger, ...(isLast && other !== undefined ? [admin, other] : [])];
    const together = await eachAtOnce(callers, async (caller, gate) => {
      return { caller, answer: await requestAt(api, operation, as(caller), place, { gate }) };
    });
    answers.push(...together);
  }
  const by = (who: Principal) => answers.filter(({ caller }) => caller === who).map(({ answer }) => answer);
  const ofAdmins = [...by(admin), ...(other === undefined ? [] : by(other))];
  return { resource, stranger, ofAdmins, ofStranger: by(stranger) };
});

const options = { extended: true, variant: 'side-by-side' } as const;

/** Section 5, points 3 and 4: who a request is from does not depend on requests at the same instant. */
export const accessSideBySide: readonly Check[] = [
  ...readOperations.map(deniedCheck),
  check('access.granted', { ...options, on: 'listModels' }, mustStayGranted),
];

/** Of all operations that could be tried. */
async function mustStayGranted(api: Api): Promise<void> {
  let asked = 0;
  for (const operation of readOperations) {
    const beside = await unlessBlocked(() => givenBeside(api, operation));
    if (beside === undefined) continue;
    asked += 1;
    const { resource, ofAdmins } = beside;
    for (const answer of ofAdmins) {
      const who = answer.exchange.caller;
      mustSucceed(answer, `for ${who}, a declared admin, reading ${resource} while another principal does`);
    }
  }
  if (asked === 0) throw new Blocked('no resource was shown to its admin and refused to another principal');
}

function deniedCheck(operation: ReadOperation): Check {
  const judge = async (api: Api) => {
    const { resource, stranger, ofStranger } = await givenBeside(api, operation);
    const who = `for ${stranger.name}, not a declared admin, reading ${resource} while its admin does`;
    for (const answer of ofStranger) {
      if (operation === 'listModels') mustStatus(answer, 404, who);
      else mustNotSucceed(answer, who);
    }
  };
  return operation === 'listModels'
    ? check('access.models-404', options, judge)
    : check('access.denied', { ...options, on: operation }, judge);
}
