import { shown } from '../../core/text.ts';
import { type BillingAccount, type SideEffect, sideEffects } from '../../core/target.ts';
import { TargetFileError } from '../../targets/target-file-error.ts';
import { targetOf } from '../../targets/target-file.ts';
import { UserError } from '../shared/user-error.ts';
import type { Given } from './init-options.ts';
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
    judge: problemWithUrl,
  });
  const { hostname } = new URL(baseUrl);
  const name = await answer(`Short name of the deployment [${hostname}]`, { given: given.name, fallback: hostname });
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
  const chats = await listsOf(given.chats, organizations, (id) => `Chats of ${id} that a run may write to`, ask);
  const deletable = (id: string) => `Data sources of ${id} that a run may delete`;
  const disposable = await listsOf(given.disposable, organizations, deletable, ask);
  const accounts = await accountsOf(given, ask, seen);
  const header = await answer('Header that carries idempotency keys (empty: not known)', {
    given: given.idempotencyHeader,
    fallback: '',
  });
  const allow = await answer(`Allowed side effects, of ${sideEffects.join(', ')} (empty: none, only read)`, {
    given: given.allow,
    judge: problemWithAllow,
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
    const adminOf = await answer(`All organizations that ${name} is admin of, separated by commas (empty: none)`, {
      given: given.adminOf?.[name],
      flag: `--admin-of ${name}=ID,ID`,
      fallback: ask === undefined ? undefined : '',
    });
    principals.push({ name, variable, adminOf: idsIn(adminOf) });
  };
  for (const [name, variable] of Object.entries(given.principal ?? {})) await add(name, variable);
  if (given.principal !== undefined) return principals;
  if (ask === undefined) throw new UserError('no principal is known: give at least one as --principal NAME=VARIABLE.');
  await add(await answer('Principal name (an admin is most useful)', {}), undefined);
  while (principals.length < most) {
    const question = 'Another principal, best without any admin role, to check refusals (empty: no more)';
    const name = await answer(question, { fallback: '' });
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

/** A list of IDs for each name. If the flag is given at all, nothing is asked. */
async function listsOf(
  given: Readonly<Record<string, string>> | undefined,
  names: readonly string[],
  question: (name: string) => string,
  ask: Ask | undefined,
): Promise<Readonly<Record<string, readonly string[]>>> {
  if (given !== undefined || ask === undefined) {
    return Object.fromEntries(Object.entries(given ?? {}).map(([name, ids]) => [name, idsIn(ids)]));
  }
  const lists: [string, readonly string[]][] = [];
  for (const name of names)
    lists.push([name, idsIn(await ask(`${question(name)}, separated by commas (empty: none): `))]);
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
    const id = await answer('Billing account ID (empty: no more)', { fallback: '' });
    if (id === '') break;
    const fallback = await seen.ownerOf(id);
    const shownOwner = fallback === undefined ? '' : ` [${shown(fallback, 100)}]`;
    const owner = await answer(`Organization that owns ${shown(id, 100)}${shownOwner}`, { fallback });
    const question =
      'Organizations that a run may attach to it, none attached yet, separated by commas (empty: none): ';
    accounts.push({ id, owner, attachable: idsIn(await ask(question)) });
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

function problemWithUrl(baseUrl: string): string | undefined {
  try {
    targetOf({ name: 'init', baseUrl, principals: { init: { key: 'init' } } }, {});
    return undefined;
  } catch (error) {
    if (error instanceof TargetFileError) return error.problems.map(({ message }) => message).join('; ');
    throw error;
  }
}

/** Keys usually contain lower-case letters. Refusing those keeps a key from being taken for a variable name. */
function problemWithVariable(text: string): string | undefined {
  if (/^[A-Z_][A-Z0-9_]{0,99}$/.test(text)) return undefined;
  return 'this is not the name of an environment variable, such as AWC_KEY_ALICE; do not give the key itself';
}

function problemWithAllow(text: string): string | undefined {
  const wrong = idsIn(text).filter((word) => !sideEffects.some((effect) => effect === word));
  return wrong.length === 0 ? undefined : `${shown(wrong.join(', '), 100)} is not one of ${sideEffects.join(', ')}`;
}

function effectsIn(text: string): readonly SideEffect[] {
  const words = new Set(idsIn(text));
  return sideEffects.filter((effect) => words.has(effect));
}
