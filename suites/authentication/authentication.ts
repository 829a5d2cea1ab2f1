import { must, mustHaveErrorBody, mustNotSucceed, mustStatus } from '../../engine/answer.ts';
import { type Answer, summary } from '../../core/exchange.ts';
import { type Api, type Caller } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { shared } from '../../engine/fixture.ts';
import { Blocked } from '../../engine/verdict.ts';
import { type Operation, operations } from '../../spec/requirement.ts';
import {
  alteredInTurn,
  alteredKeys,
  beside,
  firstHalf,
  withoutEnd,
  inLowerCase,
  keyElsewhere,
  likelySchemes,
  rewrittenKeys,
  withoutKey,
  withCredential,
  unknownKey,
  unlikelySchemes,
  withTwoExchanged,
} from '../shared/credentials.ts';
import { noteMistake } from '../shared/mistakes.ts';
import { someOf } from '../shared/some-of.ts';
import { type Form, forms, keyholder, type Place, readablePlace, requestAt, unknownPlace } from '../shared/place.ts';
import { ownReading, readOperations } from '../access/access-matrix.ts';
import { invariantCheck } from '../errors/invariant-check.ts';
import { namesAsKeys } from './names-as-keys.ts';
import { mustRefuseSessions } from './sessions.ts';
import { mustRefuseByEscapedPath, requestWrongly } from './wrong-requests.ts';

/** Operations that only read: a request with a valid key changes nothing. */
const reads: readonly Operation[] = readOperations;

/** The declared resource for operations that only read, otherwise an unknown one. */
const owners: Readonly<Record<Operation, keyof Place>> = {
  listModels: 'organizationId',
  listDataSources: 'organizationId',
  sendMessage: 'organizationId',
  deleteDataSource: 'organizationId',
  getBillingAccount: 'billingAccountId',
  attachOrganization: 'billingAccountId',
};

/** Section 5, points 1 and 2, for one operation. Writes name unknown resources, so a wrong answer does no harm. */
function authenticationOf(operation: Operation): readonly Check[] {
  const on = { on: operation };
  const twin = reads.includes(operation) ? operation : 'listModels';
  /** Its checks try everything, those of the other operations a part each. */
  const isFirst = operation === operations[0];

  /** The same request with each of the wrong credentials, and a usual one with a valid key. */
  async function send(api: Api, callers: readonly Caller[], form?: Form): Promise<readonly Answer[]> {
    const place = readablePlace(api, keyholder(api));
    const answers: Answer[] = [];
    // The body of a refused request may be left on its connection.
    for (const caller of callers)
      answers.push(await requestAt(api, operation, caller, place, { follows: answers.length > 0, form }));
    await givenGoodKey(api, twin);
    return answers;
  }

  async function mustBe401(api: Api, callers: readonly Caller[], form?: Form): Promise<void> {
    for (const answer of await send(api, callers, form)) mustStatus(answer, 401, `for ${answer.exchange.caller}`);
  }

  /** The plainest wrong credentials, sent once for all checks that judge their answers. */
  const plainly = shared(async (api: Api) => {
    const [noKey, unknown, empty] = await send(api, [withoutKey, unknownKey(api), emptyToken]);
    if (noKey === undefined || unknown === undefined || empty === undefined) throw new Error('a request was not sent');
    noteMistake(api, operation, 'without a key', noKey);
    return { noKey, unknown, empty };
  });

  return [
    check('auth.no-key', on, async (api) => {
      mustStatus((await plainly(api)).noKey, 401, 'without a key');
      for (const { answer, how } of await requestWrongly(api, operation)) {
        mustStatus(answer, 401, `without a key, ${how}`);
      }
      if (!isFirst) return;
      await mustRefuseByEscapedPath(api);
      await mustRefuseSessions(api);
    }),

    check('auth.unknown-key', on, async (api) => {
      mustStatus((await plainly(api)).unknown, 401, 'for an unknown key');
      const { key } = keyholder(api);
      const { principals } = api.session.target;
      const rewritten = rewrittenKeys(key, principals);
      await mustBe401(api, inLowerCase(key, principals), forms.later);
      await mustBe401(api, someOf(operation, [nonsense, ...placeholders, webToken, ...rewritten], 1), forms.bare);
      if (isFirst) await mustBe401(api, namesAsKeys(api), forms.filtered);
    }),

    // A firewall may answer these first, so any refusal will do. They only read, so accepting them does no harm.
    ...(reads.includes(operation)
      ? [
          check('auth.unknown-key', { ...on, variant: 'sql' }, async (api) => {
            for (const answer of await send(api, someOf(operation, [...sql, accented], 1), forms.whole)) {
              const { caller } = answer.exchange;
              mustNotSucceed(answer, `for ${caller}`);
              if (caller === accented.name)
                must(answer.status !== 500, `no 500 for ${caller}`, summary(answer), answer);
            }
          }),
        ]
      : []),

    check('auth.wrong-scheme', on, async (api) => {
      const { key } = keyholder(api);
      const likely = someOf(operation, likelySchemes(key), 2);
      await mustBe401(api, [...likely, ...(isFirst ? unlikelySchemes(key) : [])], forms.filtered);
      const [everywhere, ...places] = keyElsewhere(key, operation);
      const form = isFirst ? forms.bare : forms.short;
      const [answer] = await send(api, [everywhere], form);
      // Sent alone, it shows where the key was read.
      if (answer !== undefined && answer.status !== 401) {
        await mustBe401(api, places, form);
        // Each alone is short enough, all together may not be.
        if (![414, 431].includes(answer.status)) await mustBe401(api, [everywhere], form);
      }
      if (isFirst) await mustBe401(api, [beside(unknownKey(api), everywhere)]);
      await observeSchemeCase(api);
    }),

    check('auth.empty-token', on, async (api) => {
      mustStatus((await plainly(api)).empty, 401, 'for a Bearer header without a token');
      if (isFirst) await mustBe401(api, [schemeAlone]);
    }),

    check('auth.truncated-key', on, async (api) => {
      const { key } = keyholder(api);
      const half = withCredential('the first half of a valid key', `Bearer ${firstHalf(key)}`);
      // Where half a key is enough, so is nearly all of it: one operation tries both.
      const all = [...withoutEnd(key, api.session.target.principals), half];
      await mustBe401(api, isFirst ? all : all.slice(0, 1), isFirst ? forms.whole : forms.bare);
    }),

    check('auth.altered-key', on, async (api) => {
      const issued = api.session.target.principals.map(({ key }) => key);
      const { key } = keyholder(api);
      const altered = alteredKeys(key).filter((other) => !issued.includes(other));
      if (altered.length === 0) throw new Blocked('the key is too short to change one of its characters');
      const isNone = (other: string): boolean => !issued.includes(other);
      const longer = [`${key}0`, `${key}x`].filter(isNone).slice(0, 1);
      const extended = [
        ...longer.map((other) => withCredential('a valid key with one character more', `Bearer ${other}`)),
        ...[`x${key}`]
          .filter(isNone)
          .map((other) => withCredential('a valid key with one character before it', `Bearer ${other}`)),
        // What extracts the key may stop at punctuation: of a list, before a password, or before a signature.
        ...[`${key},x`, `${key};x`, `${key}:x`, `${key}.x`]
          .filter(isNone)
          .map((other) => withCredential('a valid key with a tail', `Bearer ${other}`)),
        ...[withTwoExchanged(key)]
          .filter((other) => other !== key && isNone(other))
          .map((other) => withCredential('a valid key with two characters exchanged', `Bearer ${other}`)),
      ];
      // In turn, so that a part of them has both.
      const wrong = altered.flatMap((other, index) => [
        withCredential('a valid key with one character changed', `Bearer ${other}`),
        ...extended.slice(index, index + 1),
      ]);
      const turn = operations.indexOf(operation);
      const own = [alteredInTurn(key, turn, operations.length)]
        .filter((other) => turn > 0 && other !== key && isNone(other))
        .map((other) => withCredential('a valid key with one character changed elsewhere', `Bearer ${other}`));
      const others = someOf(operation, [...wrong, ...extended.slice(altered.length)], 1);
      await mustBe401(api, own.length > 0 ? own : others, forms.later);
    }),

    check('auth.error-body', on, async (api) => {
      const refused = Object.values(await plainly(api)).filter(({ status }) => status === 401);
      if (refused.length === 0) throw new Blocked('no request was answered 401');
      for (const answer of refused) mustHaveErrorBody(answer);
    }),

    check('auth.before-lookup', on, async (api) => {
      const there = readablePlace(api, keyholder(api));
      const nowhere = unknownPlace(api);
      const owner = owners[operation];
      if (there[owner] === nowhere[owner]) {
        throw new Blocked(
          'the target file declares no existing resource: declare adminOf for a principal, and billingAccounts',
        );
      }
      const { noKey, unknown } = await plainly(api);
      const callers = [
        { caller: withoutKey, aboutSomething: noKey },
        { caller: unknownKey(api), aboutSomething: unknown },
      ];
      // One shows it, also where all could be tried.
      for (const { caller, aboutSomething } of someOf(operation, callers, 1).slice(0, 1)) {
        mustStatus(aboutSomething, 401, `for ${caller.name}, asking about something that exists`);
        const aboutNothing = await requestAt(api, operation, caller, nowhere);
        mustStatus(aboutNothing, 401, `for ${caller.name}, asking about nothing`);
      }
    }),
  ];
}

const emptyToken = withCredential('an empty token', 'Bearer ');
/** What a split at the space has no second part of. */
const schemeAlone = withCredential('the word Bearer alone', 'Bearer');
/** What a client or a template sends that has no key, and a server may have stored for an account without one. */
const placeholders = ['null', 'undefined'].map((word) => withCredential(`the word ${word} as a key`, `Bearer ${word}`));
/** As long as a web token, and longer than a column of 2,048 characters. */
const nonsense = withCredential('a key of another form', `Bearer awc-never-issued-${'x'.repeat(2048)}`);

/** A decoder of web tokens takes this for one, and finds that it is none. */
const webToken = withCredential('an unknown key in the form of a web token', 'Bearer aaaa.bbbb.cccc');

/** Keys that an unescaped query may read as its own syntax. */
const sql = [
  withCredential('a wildcard of SQL', 'Bearer %'),
  withCredential('a condition of SQL', "Bearer 'OR'1'='1"),
] as const;

/** A byte above 0x7f, which some comparisons of secrets reject with an error. */
const accented = withCredential('a key with a letter that is not ASCII', 'Bearer cl\u00e9');

/** The valid twin. Blocked if it is answered 401 as well: then a 401 shows nothing about the wrong credential. */
const givenGoodKey = shared(async (api: Api, operation: string): Promise<void> => {
  const principal = keyholder(api);
  for (const name of readOperations.filter((read) => read === operation)) {
    const answer = await ownReading(api, name);
    if (answer.status !== 401) continue;
    throw new Blocked(`the key of ${principal.name} is not accepted by ${name}: ${summary(answer)}`);
  }
});

const observeSchemeCase = shared(async (api: Api): Promise<void> => {
  const principal = keyholder(api);
  const lowerCase = withCredential('a valid key under bearer', `bearer ${principal.key}`);
  const answer = await requestAt(api, 'listModels', lowerCase, readablePlace(api, principal));
  const outcome = answer.status === 401 ? 'case matters' : 'any case';
  api.session.observe('auth.scheme-case', outcome, answer.exchange);
});

export const authentication: readonly Check[] = [
  ...operations.flatMap(authenticationOf),
  invariantCheck(
    'auth.not-quoted',
    (api) => requestAt(api, 'listModels', unknownKey(api), readablePlace(api, keyholder(api))),
    {
      phase: 'last',
    },
  ),
];
