import { shown } from '../../core/text.ts';
import { type BillingAccount, type SideEffect, sideEffects } from '../../core/target.ts';
import { UserError } from '../shared/user-error.ts';
import type { Given } from './init-options.ts';
import { problemIn, problemWithAllow, problemWithVariable } from './answer-problems.ts';
import type { Answers, PrincipalAnswer } from './answers.ts';
import type { Seen } from './seen.ts';

/** Asks the user one question. */
export type Ask = (question: string) => Promise<string>;

type Interview = {
  readonly given: Given;
  /** Undefined where there is no terminal. */
  readonly ask: Ask | undefined;
  /** Shows the user what was found. */
  readonly show: (line: string) => void;
  /** Looks at the deployment, once the principals are known. */
  readonly see: (answers: Answers) => Promise<Seen>;
};

/** At most this many principals, and billing accounts, are asked for. */
const most = 12;

/**
 * Asks for everything that no flag answers. Rejects with UserError if an answer without a default is missing and there is
 * no terminal.
 */
export async function interview({ given, ask, show, see }: Interview): Promise<{ answers: Answers; seen: Seen }> {
  const answer = answersFrom(ask);
  const baseUrl = await answer('Base URL of the deployment', {
    given: given.baseUrl,
    flag: '--base-url',
    judge: (text) => problemIn({ baseUrl: text }),
  });
  const { hostname } = new URL(baseUrl);
  const name = await answer(`Short name of the deployment [${hostname}]`, {
    given: given.name,
    flag: '--name',
    judge: (text) => problemIn({ name: text }),
    fallback: hostname,
  });
  const headers = headersOf(given);
  const principals = await principalsOf(given, ask);
  const reached = { name, baseUrl, headers, route: routeOf(given), principals };
  const nothing = { chats: {}, disposable: {}, accounts: [], idempotencyHeader: undefined, allow: [] };
  const seen = await see({ ...reached, ...nothing });
  if (seen.problem !== undefined) show(seen.problem);
  for (const { id, by, models, sources, sourceNames } of seen.organizations) {
    show(`${by} sees in ${id}: ${models}, ${sources}`);
    for (const source of sourceNames.slice(0, 10)) show(`  ${source}`);
  }
  const organizations = [...new Set(principals.flatMap(({ adminOf }) => adminOf))];
  const chats = await listsOf(given.chats, organizations, ask, {
    question: (id) => `Chats of ${id} that a run may write to`,
    judge: (lists) => problemIn({ principals, chats: lists }),
  });
  const disposable = await listsOf(given.disposable, organizations, ask, {
    question: (id) => `Data sources of ${id} that a run may delete`,
    judge: (lists) => problemIn({ principals, disposable: lists }),
  });
  const accounts = await accountsOf(given, ask, seen);
  const header = await answer('Header that carries idempotency keys (empty: not known)', {
    given: given.idempotencyHeader,
    flag: '--idempotency-header',
    judge: (text) => (text === '' ? undefined : problemIn({ idempotencyHeader: text })),
    fallback: '',
  });
  const allow = await answer(`Allowed side effects, of ${sideEffects.join(', ')} (empty: none, only read)`, {
    given: given.allow,
    judge: (text) => problemWithAllow(idsIn(text)),
    fallback: '',
  });
  const idempotencyHeader = header === '' ? undefined : header;
  const answers = { ...reached, chats, disposable, accounts, idempotencyHeader, allow: effectsIn(allow) };
  return { answers, seen };
}

type Source = {
  /** The value of the flag. */
  readonly given?: string | undefined;
  /** The flag to name where an answer is missing. */
  readonly flag?: string;
  /** The meaning of an empty answer. */
  readonly fallback?: string | undefined;
  /** Returns what is wrong with an answer. */
  readonly judge?: (text: string) => string | undefined;
};

/** Takes an answer from its flag, or else asks until the answer is valid. */
function answersFrom(ask: Ask | undefined): (question: string, source: Source) => Promise<string> {
  return async (question, { given, flag, fallback, judge = () => undefined }) => {
    if (given !== undefined || ask === undefined) {
      const text = given ?? fallback;
      if (text === undefined) throw new UserError(`no answer to "${question}": give it as ${flag}.`);
      const problem = judge(text);
      if (problem !== undefined) throw new UserError(`${flag ?? question}: ${problem}.`);
      return text;
    }
    for (let hint = ''; ;) {
      const text = (await ask(`${hint}${question}: `)).trim();
      const value = text === '' && fallback !== undefined ? fallback : text;
      const problem = value === '' && fallback === undefined ? 'an answer is required' : judge(value);
      if (problem === undefined) return value;
      hint = `  ${shown(problem, 300)}\n`;
    }
  };
}

async function principalsOf(given: Given, ask: Ask | undefined): Promise<readonly PrincipalAnswer[]> {
  const answer = answersFrom(ask);
  const principals: PrincipalAnswer[] = [];
  const add = async (name: string, givenVariable: string | undefined) => {
    const usual = `AWC_KEY_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
    const variable = await answer(`Environment variable that holds the key of ${name} [${usual}]`, {
      given: givenVariable,
      flag: '--principal',
      judge: problemWithVariable,
      fallback: usual,
    });
    const withAdminOf = (ids: string) => [...principals, { name, variable, adminOf: idsIn(ids) }];
    const adminOf = await answer(`All organizations that ${name} is admin of, separated by commas (empty: none)`, {
      given: given.adminOf?.[name],
      flag: `--admin-of ${name}=ID,ID`,
      judge: (text) => problemIn({ principals: withAdminOf(text) }),
      fallback: ask === undefined ? undefined : '',
    });
    principals.push(...withAdminOf(adminOf).slice(-1));
  };
  for (const [name, variable] of Object.entries(given.principal ?? {})) await add(name, variable);
  if (given.principal !== undefined) return principals;
  if (ask === undefined) throw new UserError('no principal is known: give at least one as --principal NAME=VARIABLE.');
  const judge = (name: string) =>
    name === '' ? undefined : problemIn({ principals: [...principals, { name, variable: 'AWC_INIT', adminOf: [] }] });
  await add(await answer('Principal name (an admin is most useful)', { judge }), undefined);
  while (principals.length < most) {
    const question = 'Another principal, best without any admin role, to check refusals (empty: no more)';
    const name = await answer(question, { judge, fallback: '' });
    if (name === '') break;
    await add(name, undefined);
  }
  return principals;
}

function headersOf({ header = {} }: Given): Answers['headers'] {
  for (const variable of Object.values(header)) {
    const problem = problemWithVariable(variable);
    if (problem !== undefined) throw new UserError(`--header: ${problem}.`);
  }
  return header;
}

function routeOf({ tlsCa: ca, tlsCert: cert, tlsKey: key, http2, proxy }: Given): Answers['route'] {
  const tls = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
  return {
    ...(Object.keys(tls).length > 0 && { tls }),
    ...(http2 !== undefined && { http2 }),
    ...(proxy !== undefined && { proxy }),
  };
}

type IdLists = Readonly<Record<string, readonly string[]>>;

type ListQuestion = {
  readonly question: (name: string) => string;
  /** What is wrong with the lists so far. */
  readonly judge: (lists: IdLists) => string | undefined;
};

/** A list of IDs for each name. If the flag is given at all, nothing is asked. */
async function listsOf(
  given: Readonly<Record<string, string>> | undefined,
  names: readonly string[],
  ask: Ask | undefined,
  { question, judge }: ListQuestion,
): Promise<IdLists> {
  if (given !== undefined || ask === undefined) {
    return Object.fromEntries(Object.entries(given ?? {}).map(([name, ids]) => [name, idsIn(ids)]));
  }
  const answer = answersFrom(ask);
  const lists: [string, readonly string[]][] = [];
  for (const name of names) {
    const withList = (ids: string) => [...lists, [name, idsIn(ids)] as const];
    const text = await answer(`${question(name)}, separated by commas (empty: none)`, {
      judge: (ids) => judge(Object.fromEntries(withList(ids))),
      fallback: '',
    });
    lists.push([name, idsIn(text)]);
  }
  return Object.fromEntries(lists);
}

async function accountsOf(given: Given, ask: Ask | undefined, seen: Seen): Promise<readonly BillingAccount[]> {
  const attachable = Object.entries(given.attachable ?? {}).map(([id, ids]) => [id, idsIn(ids)] as const);
  if (given.billingAccount !== undefined || ask === undefined) {
    const owners = Object.entries(given.billingAccount ?? {});
    const stray = attachable.find(([id]) => !owners.some(([account]) => account === id));
    if (stray !== undefined)
      throw new UserError(`--attachable names ${stray[0]}: give its owner as --billing-account ${stray[0]}=ORG.`);
    return owners.map(([id, owner]) => ({ id, owner, attachable: new Map(attachable).get(id) ?? [] }));
  }
  const answer = answersFrom(ask);
  const accounts: BillingAccount[] = [];
  while (accounts.length < most) {
    const judge = (last: BillingAccount) => problemIn({ accounts: [...accounts, last] });
    const id = await answer('Billing account ID (empty: no more)', {
      judge: (text) => (text === '' ? undefined : judge({ id: text, owner: 'init', attachable: [] })),
      fallback: '',
    });
    if (id === '') break;
    const fallback = await seen.ownerOf(id);
    const shownOwner = fallback === undefined ? '' : ` [${shown(fallback, 100)}]`;
    const owner = await answer(`Organization that owns ${shown(id, 100)}${shownOwner}`, {
      judge: (text) => judge({ id, owner: text, attachable: [] }),
      fallback,
    });
    const question = 'Organizations that a run may attach to it, none attached yet, separated by commas (empty: none)';
    const attached = await answer(question, {
      judge: (text) => judge({ id, owner, attachable: idsIn(text) }),
      fallback: '',
    });
    accounts.push({ id, owner, attachable: idsIn(attached) });
  }
  return accounts;
}

/** IDs are separated by commas; `\,` is a comma inside an ID. */
function idsIn(text: string): readonly string[] {
  return text
    .split(/(?<!\\),/)
    .map((id) => id.trim().replaceAll('\\,', ','))
    .filter((id) => id !== '');
}

function effectsIn(text: string): readonly SideEffect[] {
  const words = new Set(idsIn(text));
  return sideEffects.filter((effect) => words.has(effect));
}
