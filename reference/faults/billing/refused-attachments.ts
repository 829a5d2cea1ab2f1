import type { Json } from '../../http/json.ts';
import type { RefusalKind, Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { carriedOut, refusedWith } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';
import { first, isJson, unwrapped } from '../shared/values.ts';

/** The body has an organizationId, of whatever type. */
function namesOrganization({ body }: Request): boolean {
  return body.includes('"organizationId"');
}

/** The text of a value, or of the first item of a list. */
function firstText(value: Json | undefined): Json | undefined {
  const inside = Array.isArray(value) ? value[0] : value;
  return typeof inside === 'string' ? inside : value;
}

/** Attachments that are refused in that way are counted. */
function countingRefused(kind: RefusalKind): Fault['alter'] {
  return (rules) => {
    const refused = new Map<string, number>();
    return {
      onRefused: (why, request) => {
        const { accountId } = request.ids;
        const isCounted = why.kind === kind && on('attachOrganization')(request);
        if (isCounted) refused.set(accountId, (refused.get(accountId) ?? 0) + 1);
      },
      organizationCount: (owner, attachments, request) =>
        rules.organizationCount(owner, attachments, request) + (refused.get(request.ids.accountId) ?? 0),
    };
  };
}

export const refusedAttachmentFaults = faultsOf({
  'attach.missing': {
    'attach-without-id-takes-first': {
      sentence: "Without organizationId, the caller's first organization is attached.",
      alter: () => ({
        attachedField: (value, { caller }) => (value === undefined ? first(caller?.adminOf ?? []) : value),
      }),
    },
    'attach-in-snake-case': {
      sentence: 'The ID is also read from organization_id, the name of the column.',
      alter: () => ({
        jsonText: (body, request) =>
          on('attachOrganization')(request) ? body.replace('"organization_id"', '"organizationId"') : body,
      }),
    },
    'attach-in-list': {
      sentence: 'A list with one object is accepted instead of the object.',
      alter: () => ({ jsonText: (body, request) => (on('attachOrganization')(request) ? unwrapped(body) : body) }),
    },
    'attach-id-alone': {
      sentence: 'A body that is only the ID, as a JSON string, is accepted.',
      alter: () => ({
        jsonText: (body, request) =>
          on('attachOrganization')(request) && body.startsWith('"') ? `{"organizationId":${body}}` : body,
      }),
    },
    'attach-without-id-200': {
      sentence: 'A body without organizationId is answered 200 with an error in the body.',
      alter: refusedWith(200, 'invalidAttached', (request) => !namesOrganization(request)),
    },
    'attach-unreadable-200': {
      sentence: 'A body that is not JSON is answered 200 with an error in the body.',
      alter: refusedWith(200, 'malformedBody', (request) => on('attachOrganization')(request) && !isJson(request.body)),
    },
  },
  'attach.not-a-string': {
    'attach-null-takes-first': {
      sentence: "If organizationId is null, the caller's first organization is attached.",
      alter: () => ({
        attachedField: (value, { caller }) => (value === null ? first(caller?.adminOf ?? []) : value),
      }),
    },
    'attach-true-is-any-id': {
      sentence: "organizationId is compared loosely, and true is equal to the ID of the caller's first organization.",
      alter: () => ({
        attachedField: (value, { caller }) => (value === true ? first(caller?.adminOf ?? []) : value),
      }),
    },
    'attach-list-unpacked': {
      sentence: 'A list with one organization is accepted instead of the organization.',
      alter: () => ({ attachedField: firstText }),
    },
    'attach-number-200': {
      sentence: 'An organizationId of the wrong type is answered 200 with an error in the body.',
      alter: refusedWith(200, 'invalidAttached', namesOrganization),
    },
  },
  'attach.unknown-organization': {
    'attach-anything': {
      sentence: 'Attaching does not check that the organization exists.',
      alter: () => ({ attachable: () => true }),
    },
    'attach-unknown-200': {
      sentence: 'Attaching an organization that does not exist is answered 200 with an error in the body.',
      alter: refusedWith(200, 'unknownAttached'),
    },
    'attach-id-cut-short': {
      sentence: 'An organization is found by the beginning of its ID, of which the last character may be missing.',
      alter: () => ({
        attachedField: (value, { caller }) =>
          caller?.adminOf.values().find((id) => typeof value === 'string' && value === id.slice(0, -1)) ?? value,
      }),
    },
    'attach-id-in-any-case': {
      sentence: 'The column of organization IDs is compared without regard to case.',
      idle: { ids: ['uuid', 'number', 'per-organization'] },
      alter: () => ({
        attachedField: (value, { caller }) => {
          const folded = typeof value === 'string' ? value.toLowerCase() : value;
          return caller?.adminOf.values().find((id) => id.toLowerCase() === folded) ?? value;
        },
      }),
    },
  },
  'attach.unknown-account': {
    'attach-to-account-of-similar-name': {
      sentence: 'An attachment to an account that does not exist goes to the first account.',
      alter: () => ({
        accountId: (id, request, all) => (on('attachOrganization')(request) && !all.includes(id) ? (all[0] ?? id) : id),
      }),
    },
    'attach-to-unknown-202': {
      sentence: 'An attachment to an account that does not exist is answered 202 and lost.',
      alter: refusedWith(202, 'unknownAccount', on('attachOrganization')),
    },
  },
  'attach.inexact-id': {
    'attach-id-trimmed': {
      sentence: 'Texts of a body are trimmed before anything else happens.',
      alter: () => ({ attachedField: (value) => (typeof value === 'string' ? value.trim() : value) }),
    },
  },
  'attach.refused-no-effect': {
    'limited-attachments-act': {
      sentence: 'An attachment over the rate limit is refused, but counted.',
      idle: {
        pace: ['sluggish'],
        'rate-scope': ['operation', 'writes'],
        'rate-window': ['bucket', 'bucket-until-full', 'spaced', 'on-the-clock'],
      },
      alter: carriedOut('rateLimited', on('attachOrganization')),
    },
    'attach-counts-before-validation': {
      sentence: 'organizationCount grows before the body is validated.',
      alter: countingRefused('invalidAttached'),
    },
    'attach-counts-the-unknown': {
      sentence: 'An organization that does not exist is refused but counted.',
      alter: countingRefused('unknownAttached'),
    },
  },
  'attach.refused-no-5xx': {
    'attach-malformed-500': {
      sentence: 'A body that is not JSON causes an exception in the parser.',
      alter: (rules) => ({
        refusalStatus: (kind, request) =>
          on('attachOrganization')(request) && !isJson(request.body) ? 500 : rules.refusalStatus(kind, request),
      }),
    },
    'attach-plain-text-500': {
      sentence:
        'A body that is not JSON by its content type is not parsed, and reading a field of it causes an exception.',
      alter: () => ({
        status: (status, request) => {
          const isUnparsed = on('attachOrganization')(request) && request.headers['content-type'] === 'text/plain';
          return isUnparsed ? 500 : status;
        },
      }),
    },
    'attach-long-id-500': {
      sentence: 'An organizationId that is longer than its column causes an exception.',
      alter: refusedWith(500, 'unknownAttached', ({ body }) => body.length > 255),
    },
    'attach-nul-500': {
      sentence: 'The database rejects NUL in an organizationId, which causes an exception.',
      alter: refusedWith(500, 'unknownAttached', ({ body }) => body.includes('\\u0000')),
    },
    'attach-null-500': {
      sentence: 'An organizationId of the wrong type causes an exception.',
      alter: refusedWith(500, 'invalidAttached'),
    },
  },
});
