import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { TransportError } from '../../core/http.ts';
import type { Principal, Target } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';

/** `unauthorized`: 401, as for a wrong key. `unclear`: neither a success nor a refusal. */
export type Access = 'granted' | 'denied' | 'unauthorized' | 'unclear';

/** Whether a principal reaches a resource, and whether the target file says so. */
export type Reach = {
  readonly principal: Principal;
  readonly kind: 'organization' | 'billing account';
  readonly resource: string;
  readonly declared: boolean;
  readonly access: Access;
  /** The answer, or why there is none, in short. */
  readonly outcome: string;
};

/** At most this many pairs are tried. */
const maxTried = 150;

type Question = Omit<Reach, 'access' | 'outcome'> & { readonly ask: (api: Api) => Promise<Answer> };

/**
 * Sends one reading request for every pair of principal and organization or billing account, declared pairs first. Returns
 * how many pairs were left out. Never rejects.
 */
export async function probeReach(api: Api): Promise<{ readonly reached: readonly Reach[]; readonly untried: number }> {
  const questions = questionsOf(api.session.target).toSorted((a, b) => Number(b.declared) - Number(a.declared));
  const reached: Reach[] = [];
  for (const question of questions.slice(0, maxTried)) reached.push(await answered(api, question));
  return { reached, untried: Math.max(0, questions.length - maxTried) };
}

function questionsOf({ principals, organizations, billingAccounts }: Target): readonly Question[] {
  return principals.flatMap((principal): readonly Question[] => {
    const caller = as(principal);
    return [
      ...organizations.map(({ id }): Question => ({
        principal,
        kind: 'organization',
        resource: id,
        declared: principal.adminOf.includes(id),
        ask: (api) => api.listModels(caller, id, { limit: 1 }),
      })),
      ...billingAccounts.map(({ id, owner }): Question => ({
        principal,
        kind: 'billing account',
        resource: id,
        declared: principal.adminOf.includes(owner),
        ask: (api) => api.getBillingAccount(caller, id),
      })),
    ];
  });
}

async function answered(api: Api, { ask, ...question }: Question): Promise<Reach> {
  try {
    const answer = await ask(api);
    return { ...question, access: accessOf(answer), outcome: summary(answer) };
  } catch (error) {
    if (!(error instanceof TransportError || error instanceof Blocked)) throw error;
    return { ...question, access: 'unclear', outcome: error.message };
  }
}

function accessOf(answer: Answer): Access {
  if (isSuccess(answer)) return 'granted';
  if (answer.status === 401) return 'unauthorized';
  return answer.status >= 400 && answer.status < 500 ? 'denied' : 'unclear';
}
