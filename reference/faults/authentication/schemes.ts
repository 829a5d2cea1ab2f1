import type { Operation } from '../../../spec/requirement.ts';
import type { Fault } from '../../variation.ts';
import { refusedWith } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';
import { first } from '../shared/values.ts';

/** One operation reads a credential of another form, too. */
function readingOn(operation: Operation, tokenOf: (header: string) => string | undefined): Fault['alter'] {
  return (rules) => ({
    credential: (header, request) => {
      const token = on(operation)(request) ? tokenOf(header) : undefined;
      return token === undefined ? rules.credential(header, request) : { scheme: 'Bearer', token };
    },
  });
}

/** How a scheme and a key are distinguished in the header, and what is read before it. */
export const schemeFaults = faultsOf({
  'auth.no-key': {
    'escaped-path-without-key': {
      sentence: 'The filter that checks keys compares paths as they were sent, and the router decoded ones.',
      alter: () => ({
        received: (request) => {
          const id = /^\/api\/%70ublic\/organizations\/([^/]+)\/models$/.exec(request.path)?.[1];
          if (id === undefined) return request;
          return {
            ...request,
            operation: 'listModels',
            ids: { ...request.ids, organizationId: decodeURIComponent(id) },
          };
        },
        caller: (caller, { path }, callers) => (path.includes('/%70ublic/') ? first(callers.values()) : caller),
      }),
    },
    'media-type-before-key': {
      sentence: 'Each route names the media type that it reads, so others are refused before the key is checked.',
      alter: refusedWith(
        415,
        'unauthenticated',
        ({ body, headers }) => body !== '' && headers['content-type'] === 'text/plain',
      ),
    },
  },
  'auth.unknown-key': {
    'credential-too-long-500': {
      sentence: 'A key of more than 2,048 characters does not fit the column of the log, and the insert fails.',
      alter: refusedWith(
        500,
        'unauthenticated',
        ({ headers }) => (headers['authorization'] ?? '').length > 'Bearer '.length + 2048,
      ),
    },
    'key-in-punctuation': {
      sentence: 'Punctuation around a key is removed, because people copy it with the sentence that it stands in.',
      alter: (rules) => ({
        credential: (header, request) => {
          const { scheme, token } = rules.credential(header, request);
          return { scheme, token: token.replaceAll(/^[.;,]+|[.;,]+$/g, '') };
        },
      }),
    },
  },
  'auth.empty-token': {
    'scheme-alone-is-service': {
      sentence: 'A header without a space is split into one part, and the missing second one belongs to a service.',
      alter: (rules) => ({
        caller: (caller, request, callers) =>
          rules.credentialHeader(request) === 'Bearer' ? first(callers.values()) : caller,
      }),
    },
  },
  'auth.wrong-scheme': {
    'scheme-without-space': {
      sentence: 'The first six characters of a header are the scheme, and the rest of it is the key.',
      alter: () => ({
        credential: (header) => ({ scheme: header.slice(0, 6), token: header.slice(6).trim() }),
      }),
    },
    'account-by-key-alone': {
      sentence: 'The billing service takes a header without a scheme for the key.',
      alter: readingOn('getBillingAccount', (header) => (header.includes(' ') ? undefined : header)),
    },
    'sources-by-basic': {
      sentence: 'Data sources are listed for the user of the scheme Basic, too, as the previous version did.',
      alter: readingOn('listDataSources', (header) =>
        header.startsWith('Basic ')
          ? Buffer.from(header.slice('Basic '.length), 'base64').toString().split(':', 1)[0]
          : undefined,
      ),
    },
    'attachment-by-any-scheme': {
      sentence: 'The service that attaches takes what follows the first space for the key, whatever the scheme.',
      alter: readingOn('attachOrganization', (header) => header.split(' ')[1]),
    },
    'scheme-by-its-end': {
      sentence: 'A pattern without an anchor finds the word Bearer at the end of any scheme.',
      alter: () => ({ schemeAccepted: (scheme) => /bearer$/i.test(scheme) }),
    },
    'scheme-as-far-as-it-goes': {
      sentence: 'The word Bearer is compared as far as the scheme goes, so its beginning is enough.',
      alter: () => ({ schemeAccepted: (scheme) => scheme !== '' && 'bearer'.startsWith(scheme.toLowerCase()) }),
    },
    'scheme-with-colon': {
      sentence: 'A scheme may end with a colon, as in a header that is written twice.',
      alter: (rules) => ({
        schemeAccepted: (scheme, request) => scheme === 'Bearer:' || rules.schemeAccepted(scheme, request),
      }),
    },
    'scheme-of-api-keys': {
      sentence: 'The scheme ApiKey of the management API is accepted, too.',
      alter: (rules) => ({
        schemeAccepted: (scheme, request) => scheme === 'ApiKey' || rules.schemeAccepted(scheme, request),
      }),
    },
    'second-key-tried': {
      sentence: 'If the bearer credential is wrong, the key in X-API-Key is tried.',
      alter: (rules) => ({
        caller: (caller, request, callers) => {
          if (caller !== undefined || rules.credentialHeader(request) === undefined) return caller;
          return callers.get(request.headers['x-api-key'] ?? '');
        },
      }),
    },
    'itself-trusted': {
      sentence: 'A request without a key that is forwarded from 127.0.0.1 is trusted.',
      alter: (rules) => ({
        caller: (caller, request, callers) =>
          rules.credentialHeader(request) === undefined && request.headers['x-forwarded-for'] === '127.0.0.1'
            ? first(callers.values())
            : caller,
      }),
    },
  },
});
