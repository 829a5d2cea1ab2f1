import { must } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { at, stringAt } from '../../core/json.ts';
import { givenLists } from '../../stage/lists/lists.ts';
import { listOperations } from '../../core/page.ts';
import { shown } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenDenied as givenDeniedAttachments } from './denied-attachments.ts';
import { givenDenied, givenGranted, type ReadOperation, readOperations } from './access-matrix.ts';
import { answerToMistake, noteMistake } from '../shared/mistakes.ts';
import { keyholder, requestAt, unknownPlace } from '../shared/place.ts';
import { textsIn } from '../../promises/leaks/texts-in.ts';
import type { Operation } from '../../spec/requirement.ts';

/** Records of each list whose names are searched for. */
const maxRecords = 200;

/** Shorter names occur in too many texts by chance. */
const leastLength = 4;

/** A name such as `admin` or `organization` may be an ordinary word of a refusal. */
const ordinaryWord = /^[a-z]+$/;

/** Fields that name or describe a resource. */
const namingFields = ['id', 'name', 'referenceName', 'displayName', 'databaseName', 'host', 'username'] as const;

/** Section 5: what a denied answer may disclose, for the operations that read. */
export const disclosure: readonly Check[] = readOperations.map((operation) =>
  check('access.no-disclosure', { on: operation }, async (api) => {
    const names = await givenHiddenNames(api, operation);
    const refused = (await givenDenied(api, operation)).filter(({ answer }) => !isSuccess(answer));
    const hiding = refused.filter(({ resource }) => names.has(resource));
    if (hiding.length === 0) throw new Blocked('no denied resource has a name that its admin can see');
    const control = await aboutNothing(api, operation);
    for (const { resource, answer } of hiding) mustHide(answer, names.get(resource) ?? [], control);
  }),
);

/** The same for attachments. */
export const attachmentDisclosure: Check = check(
  'access.attach-no-disclosure',
  { phase: 'attachments', uses: ['attachments'] },
  async (api) => {
    const { attempts, elsewhere } = await givenDeniedAttachments(api);
    const names = await givenHiddenNames(api, 'getBillingAccount');
    const hiding = [...attempts, ...elsewhere].filter(
      ({ principal, owner, billingAccountId, answer }) =>
        !principal.adminOf.includes(owner) && !isSuccess(answer) && names.has(billingAccountId),
    );
    if (hiding.length === 0)
      throw new Blocked('no attachment was denied to a principal that is not adminOf the owner of a named account');
    const control = await aboutNothing(api, 'attachOrganization');
    for (const { billingAccountId, answer } of hiding) {
      // The name of an organization, which the refusal may say, often begins with that of its account.
      const values = new Set(textsIn(answer).split('\n'));
      const own = (names.get(billingAccountId) ?? []).filter((name) => values.has(name));
      mustHide(answer, own, control);
    }
  },
);

/** The answer about something that does not exist. */
export async function aboutNothing(api: Api, operation: Operation): Promise<Answer> {
  const mistake = 'about what does not exist';
  const known = answerToMistake(api, operation, mistake);
  const answer = known ?? (await requestAt(api, operation, as(keyholder(api)), unknownPlace(api)));
  noteMistake(api, operation, mistake, answer);
  return answer;
}

/**
 * The answer must not name the hidden resource, except for names in the request. `control` is the answer about
 * something that does not exist: words in it are the deployment's own.
 */
export function mustHide(answer: Answer, names: readonly string[], control: Answer): void {
  const text = textsIn(answer);
  const usual = textsIn(control);
  const { path, body } = answer.exchange.request;
  const asked = `${decodeURIComponent(path)}\n${typeof body === 'string' ? body : ''}`;
  const named = names.find((name) => standsIn(text, name) && !asked.includes(name) && !standsIn(usual, name));
  must(
    named === undefined,
    'a refusal that names nothing the caller may not see',
    `it names ${shown(named ?? '')}`,
    answer,
  );
}

/** Whether the text contains the name as whole words. */
function standsIn(text: string, name: string): boolean {
  for (let place = text.indexOf(name); place >= 0; place = text.indexOf(name, place + 1)) {
    const around = text.charAt(place - 1) + text.charAt(place + name.length);
    if (!/[\p{L}\p{N}]/u.test(around)) return true;
  }
  return false;
}

/** The names of each resource's records. */
async function givenHiddenNames(api: Api, operation: ReadOperation): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Map<string, readonly string[]>();
  if (operation === 'getBillingAccount') {
    for (const { resource, answer } of await givenGranted(api, operation)) {
      names.set(resource, namesOf(at(answer.json, 'data')));
    }
    return names;
  }
  for (const list of listOperations) {
    for (const { organizationId, walk } of await givenLists(api, list)) {
      const found = walk.items.slice(0, maxRecords).flatMap(({ record }) => namesOf(record));
      names.set(organizationId, [...(names.get(organizationId) ?? []), ...found]);
    }
  }
  return names;
}

export function namesOf(record: unknown): readonly string[] {
  return namingFields.flatMap((field) => {
    const name = stringAt(record, field) ?? '';
    return name.length >= leastLength && name.length <= 200 && !ordinaryWord.test(name) ? [name] : [];
  });
}
