import { shown } from '../../core/text.ts';
import { type SideEffect, sideEffects } from '../../core/target.ts';
import { TargetFileError } from '../../targets/target-file-error.ts';
import { targetOf } from '../../targets/target-of.ts';
import { UserError } from '../shared/user-error.ts';
import type { AccountAnswer, Answers, Given, PrincipalAnswer } from './answers.ts';
import type { Seen } from './seen.ts';

/** Asks somebody; `undefined` where there is nobody to ask. */
export type Ask = (question: string) => Promise<string>;

export type Interview = {
  readonly given: Given;
  readonly ask: Ask | undefined;
  /** Tells whoever is asked what was found. */
  readonly tell: (line: string) => void;
  /** Looks at the deployment, once it is known who can reach what. */
  readonly see: (baseUrl: string, principals: readonly PrincipalAnswer[]) => Promise<Seen>;
};

/** Principals, and billing accounts, that are asked for. */
const most = 12;

/** Asks for what no flag says. Rejects with UserError where nobody can be asked for what has no default. */
export async function interview({ given, ask, tell, see }: Interview): Promise<{ answers: Answers; seen: Seen }> {
  const baseUrl = await answerOf(given.baseUrl, '--base-url', 'Base URL of the deployment', ask, problemWithUrl);
  const host = new URL(baseUrl).hostname;
  const name = await answerOf(given.name, undefined, `A short name for it [${host}]`, ask, none, host);
  const principals = await principalsOf(given, ask);
  const seen = await see(baseUrl, principals);
  for (const { id, by, models, sources, sourceNames } of seen.organizations) {
    tell(`${by} sees of ${id}: ${models}, ${sources}`);
    for (const source of sourceNames.slice(0, 10)) tell(`  ${source}`);
  }
  const organizations = [...new Set(principals.flatMap(({ adminOf }) => adminOf))];
  const chats = await listsOf(given.chats, organizations, (id) => `Chats of ${id} that may be written to`, ask);
  const disposable = await listsOf(
    given.disposable,
    organizations,
    (id) => `Data sources of ${id} that may be deleted`,
    ask,
  );
  const accounts = await accountsOf(given, ask, seen);
  const header = await answerOf(
    given.idempotencyHeader,
    undefined,
    'Header of idempotency keys, if known',
    ask,
    none,
    '',
  );
  const allowed = `What a run may do (${sideEffects.join(', ')}; empty: only read)`;
  const allow = await answerOf(given.allow, undefined, allowed, ask, problemWithAllow, '');
  const idempotencyHeader = header === '' ? undefined : header;
  const answers = {
    name,
    baseUrl,
    principals,
    chats,
    disposable,
    accounts,
    idempotencyHeader,
    allow: effectsIn(allow),
  };
  return { answers, seen };
}

/** Says what is wrong with an answer; undefined where nothing is. */
type Judge = (text: string) => string | undefined;

const none: Judge = () => undefined;

/**
 * What a flag says, or else what somebody answers, asked again until it is right; empty is the default, where there is one.
 * `flag` is named where an answer is missing.
 */
async function answerOf(
  given: string | undefined,
  flag: string | undefined,
  question: string,
  ask: Ask | undefined,
  judge: Judge,
  fallback?: string,
): Promise<string> {
  if (given !== undefined || ask === undefined) {
    const text = given ?? fallback;
    if (text === undefined)
      throw new UserError(`${question} is not known, and nobody can be asked: give it as ${flag}.`);
    const problem = judge(text);
    if (problem !== undefined) throw new UserError(`${flag ?? question}: ${problem}.`);
    return text;
  }
  for (let hint = ''; ;) {
    const text = (await ask(`${hint}${question}: `)).trim();
    const answer = text === '' && fallback !== undefined ? fallback : text;
    const problem = answer === '' && fallback === undefined ? 'an answer is needed' : judge(answer);
    if (problem === undefined) return answer;
    hint = `  ${shown(problem, 300)}\n`;
  }
}

async function principalsOf(given: Given, ask: Ask | undefined): Promise<readonly PrincipalAnswer[]> {
  const principals: PrincipalAnswer[] = [];
  const add = async (name: string, givenVariable: string | undefined) => {
    const usual = `AWC_KEY_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
    const question = `Environment variable that holds the key of ${name} [${usual}]`;
    const variable = await answerOf(givenVariable, '--principal', question, ask, problemWithVariable, usual);
    const where = `Organizations that ${name} is admin of, separated by commas (all of them; empty: none)`;
    const flag = `--admin-of ${name}=ID,ID`;
    const adminOf = await answerOf(given.adminOf?.[name], flag, where, ask, none, ask === undefined ? undefined : '');
    principals.push({ name, variable, adminOf: idsIn(adminOf) });
  };
  for (const [name, variable] of Object.entries(given.principal ?? {})) await add(name, variable);
  if (given.principal !== undefined) return principals;
  if (ask === undefined) throw new UserError('nobody with a key is known: give them as --principal NAME=VARIABLE.');
  await add(
    await answerOf(undefined, undefined, 'Name of somebody who has a key, an admin best', ask, none),
    undefined,
  );
  while (principals.length < most) {
    const question = 'Somebody else, best admin of nothing, so that refusals can be checked (empty: nobody)';
    const name = await answerOf(undefined, undefined, question, ask, none, '');
    if (name === '') break;
    await add(name, undefined);
  }
  return principals;
}

/** A list of IDs for each of the names; a flag about one answers for all. */
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

async function accountsOf(given: Given, ask: Ask | undefined, seen: Seen): Promise<readonly AccountAnswer[]> {
  const attachable = Object.entries(given.attachable ?? {}).map(([id, ids]) => [id, idsIn(ids)] as const);
  if (given.billingAccount !== undefined || ask === undefined) {
    const owners = Object.entries(given.billingAccount ?? {});
    const stray = attachable.find(([id]) => !owners.some(([account]) => account === id));
    if (stray !== undefined)
      throw new UserError(`--attachable names ${stray[0]}: give its owner as --billing-account ${stray[0]}=ORG.`);
    return owners.map(([id, owner]) => ({ id, owner, attachable: new Map(attachable).get(id) ?? [] }));
  }
  const accounts: AccountAnswer[] = [];
  while (accounts.length < most) {
    const id = await answerOf(undefined, undefined, 'ID of a billing account (empty: no more)', ask, none, '');
    if (id === '') break;
    const owner = await seen.ownerOf(id);
    const shownOwner = owner === undefined ? '' : ` [${shown(owner, 100)}]`;
    const owned = await answerOf(undefined, undefined, `Organization that owns it${shownOwner}`, ask, none, owner);
    const question = 'Organizations that may be attached to it, not attached yet, separated by commas (empty: none): ';
    accounts.push({ id, owner: owned, attachable: idsIn(await ask(question)) });
  }
  return accounts;
}

/** Separated by commas; one that belongs to an ID stands behind a backslash. */
function idsIn(text: string): readonly string[] {
  return text
    .split(/(?<!\\),/)
    .map((id) => id.trim().replaceAll('\\,', ','))
    .filter((id) => id !== '');
}

function problemWithUrl(baseUrl: string): string | undefined {
  try {
    targetOf({ name: 'init', baseUrl, principals: { init: { key: 'init' } } });
    return undefined;
  } catch (error) {
    if (error instanceof TargetFileError) return error.problems.map(({ message }) => message).join('; ');
    throw error;
  }
}

/** Keys have lower-case letters, as a rule, and variables have none: so a key is not taken for the name of its variable. */
function problemWithVariable(text: string): string | undefined {
  if (/^[A-Z_][A-Z0-9_]{0,99}$/.test(text)) return undefined;
  return 'this is not the name of an environment variable, such as AWC_KEY_ALICE; never give the key itself';
}

function problemWithAllow(text: string): string | undefined {
  const wrong = idsIn(text).filter((word) => !sideEffects.some((effect) => effect === word));
  return wrong.length === 0 ? undefined : `${shown(wrong.join(', '), 100)} is none of ${sideEffects.join(', ')}`;
}

function effectsIn(text: string): readonly SideEffect[] {
  const words = new Set(idsIn(text));
  return sideEffects.filter((effect) => words.has(effect));
}
