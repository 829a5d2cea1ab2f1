import type { Json } from '../../http/json.ts';
import type { Fault } from '../../variation.ts';
import { first } from '../shared/first.ts';
import { unwrapped } from '../shared/unwrapped.ts';

/** The text that a careless reader makes of what should have been one. */
function firstText(value: Json | undefined): string | undefined {
  const inside = Array.isArray(value) ? value[0] : value;
  return typeof inside === 'string' ? inside : undefined;
}

/** How many times an organization stands in a list, up to and with the latest. */
function occurrences(list: readonly string[], organizationId: string): number {
  return list.filter((other) => other === organizationId).length;
}

export const attachFaults: readonly Fault[] = [
  {
    name: 'attached-already-asks-no-role',
    breaks: 'access.attach-needs-owner-admin',
    sentence: 'What is attached already is answered so, before anybody looks at the roles.',
    idle: { 'attach-again': ['refuse'] },
    alter: (rules) => {
      const attached = new Set<unknown>();
      let named: unknown;
      return {
        attachedField: (body, request) => {
          const field = rules.attachedField(body, request);
          named = field;
          return field;
        },
        attachmentCounts: (organizationId, before, request) => {
          attached.add(organizationId);
          return rules.attachmentCounts(organizationId, before, request);
        },
        mayAttach: (isAdmin, isOwnerAdmin, request) =>
          rules.mayAttach(isAdmin, isOwnerAdmin, request) || (isAdmin && attached.has(named)),
      };
    },
  },
  {
    name: 'attach-500-after-effect',
    breaks: 'attach.success',
    sentence: 'Attaching works and ends in an exception when the receipt is mailed.',
    alter: () => ({ attachStatus: () => 500 }),
  },
  {
    name: 'attach-redirects',
    breaks: 'attach.success',
    sentence: 'Attaching is answered 303, with the account to be looked at next.',
    alter: () => ({ attachStatus: () => 303 }),
  },
  {
    name: 'attach-uncounted',
    breaks: 'attach.count',
    sentence: 'Attaching is answered well and does nothing.',
    alter: () => ({ attachmentCounts: () => false }),
  },
  {
    name: 'attach-counts-double',
    breaks: 'attach.count',
    sentence: 'Attaching counts in the handler and again in the event.',
    alter: () => ({
      organizationCount: (owner, attachments) => 2 * new Set([owner, ...attachments]).size - 1,
    }),
  },
  {
    name: 'attach-count-stuck-at-two',
    breaks: 'attach.count',
    sentence: 'organizationCount is right for the first organization attached and stays there.',
    alter: (rules) => ({
      organizationCount: (owner, attachments, request) =>
        Math.min(2, rules.organizationCount(owner, attachments, request)),
    }),
  },
  {
    name: 'attach-counts-in-every-account',
    breaks: 'attach.count',
    sentence: 'organizationCount counts the organizations that are attached, to whichever account.',
    alter: (rules) => {
      const attached = new Set<string>();
      return {
        attachmentCounts: (id, before, request) => {
          attached.add(id);
          return rules.attachmentCounts(id, before, request);
        },
        organizationCount: (owner, _attachments, request) => rules.organizationCount(owner, [...attached], request),
      };
    },
  },
  {
    name: 'attach-again-counts',
    breaks: 'attach.twice',
    sentence: 'organizationCount counts attachments, not organizations.',
    alter: () => ({
      attachAgain: () => 'accept',
      organizationCount: (_owner, attachments) => 1 + attachments.length,
    }),
  },
  {
    name: 'attach-again-detaches',
    breaks: 'attach.twice',
    sentence: 'Attaching again takes the organization off, as a switch would.',
    alter: (rules) => ({
      attachAgain: () => 'accept',
      organizationCount: (owner, attachments, request) =>
        rules.organizationCount(
          owner,
          attachments.filter((id) => occurrences(attachments, id) % 2 === 1),
          request,
        ),
    }),
  },
  {
    name: 'attach-without-id-takes-first',
    breaks: 'attach.missing',
    sentence: "Without organizationId the caller's first organization is attached.",
    alter: (rules) => ({
      attachedInstead: (value, request) =>
        value === undefined ? first(request.caller?.adminOf ?? []) : rules.attachedInstead(value, request),
    }),
  },
  {
    name: 'attach-in-list',
    breaks: 'attach.missing',
    sentence: 'A list of one object is taken for the object.',
    alter: (rules) => ({
      jsonRead: (body, request) =>
        rules.jsonRead(request.operation === 'attachOrganization' ? unwrapped(body) : body, request),
    }),
  },
  {
    name: 'attach-without-id-200',
    breaks: 'attach.missing',
    sentence: 'A body without organizationId is answered 200 with an error in its body.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        kind === 'invalidAttached' && !request.body.includes('"organizationId"')
          ? 200
          : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'attach-null-takes-first',
    breaks: 'attach.not-a-string',
    sentence: "An organizationId of null stands for the caller's first organization.",
    alter: (rules) => ({
      attachedInstead: (value, request) =>
        value === null ? first(request.caller?.adminOf ?? []) : rules.attachedInstead(value, request),
    }),
  },
  {
    name: 'attach-list-unpacked',
    breaks: 'attach.not-a-string',
    sentence: 'A list of one organization is taken for that organization.',
    alter: (rules) => ({
      attachedInstead: (value, request) => firstText(value) ?? rules.attachedInstead(value, request),
    }),
  },
  {
    name: 'attach-number-200',
    breaks: 'attach.not-a-string',
    sentence: 'An organizationId of the wrong type is answered 200 with an error in its body.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        kind === 'invalidAttached' && request.body.includes('"organizationId"')
          ? 200
          : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'attach-anything',
    breaks: 'attach.unknown-organization',
    sentence: 'Whether the attached organization exists is not asked.',
    alter: () => ({ attachable: () => true }),
  },
  {
    name: 'attach-unknown-200',
    breaks: 'attach.unknown-organization',
    sentence: 'An organization that does not exist is answered 200, and the error is in the body.',
    alter: (rules) => ({
      refusalStatus: (kind, request) => (kind === 'unknownAttached' ? 200 : rules.refusalStatus(kind, request)),
    }),
  },
  {
    name: 'attach-to-account-of-similar-name',
    breaks: 'attach.unknown-account',
    sentence: 'An attachment to an account that does not exist goes to the first one.',
    alter: (rules) => ({
      accountNamed: (id, all, request) =>
        request.operation !== 'attachOrganization' || all.includes(id)
          ? rules.accountNamed(id, all, request)
          : (all[0] ?? id),
    }),
  },
  {
    name: 'attach-to-unknown-202',
    breaks: 'attach.unknown-account',
    sentence: 'An attachment to an account that does not exist is accepted, 202, and lost.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        kind === 'unknownAccount' && request.operation === 'attachOrganization'
          ? 202
          : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'replica-missed-attachment',
    breaks: 'attach.count',
    sentence: 'A second replica, which is asked while the first one is busy, never hears of an attachment.',
    alter: (rules) => {
      let busy = { at: Number.NaN, turn: 0 };
      return {
        organizationCount: (owner, attachments, request) => {
          if (request.at !== busy.at) busy = { at: request.at, turn: request.turn };
          return rules.organizationCount(owner, request.turn === busy.turn ? attachments : [], request);
        },
      };
    },
  },
  {
    name: 'attach-counts-before-validation',
    breaks: 'attach.refused-no-effect',
    sentence: 'organizationCount grows before the body is validated.',
    alter: () => ({ countsRefused: (kind) => kind === 'invalidAttached' }),
  },
  {
    name: 'attach-counts-the-unknown',
    breaks: 'attach.refused-no-effect',
    sentence: 'An organization that does not exist is refused and counted.',
    alter: () => ({ countsRefused: (kind) => kind === 'unknownAttached' }),
  },
  {
    name: 'attach-malformed-500',
    breaks: 'attach.refused-no-5xx',
    sentence: 'A body that is no JSON ends in an exception of the parser.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        request.operation === 'attachOrganization' && !isJson(request.body) ? 500 : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'attach-null-500',
    breaks: 'attach.refused-no-5xx',
    sentence: 'An organizationId of the wrong type ends in an exception.',
    alter: (rules) => ({
      refusalStatus: (kind, request) => (kind === 'invalidAttached' ? 500 : rules.refusalStatus(kind, request)),
    }),
  },
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
