import { legible, nameOf, type PartProblem } from './schema-problems.ts';
import type { TargetFile } from './target-schema.ts';
import type { Path } from './target-yaml.ts';

/** Headers that the suite or HTTP itself sets, so that none of them can carry an idempotency key. */
const takenHeaders: ReadonlySet<string> = new Set(
  (
    'accept accept-encoding authorization connection content-encoding content-length content-type cookie date expect ' +
    'host keep-alive te trailer transfer-encoding upgrade user-agent'
  ).split(' '),
);

/** What is wrong with a target file although each field is of the right kind. */
export function senseProblems(file: TargetFile): readonly PartProblem[] {
  return [
    ...baseUrlProblems(file.baseUrl).map((message) => at(['baseUrl'], message)),
    ...(hasControls(file.name) ? [at(['name'], 'holds a control character; write plain text')] : []),
    ...principalProblems(file),
    ...organizationProblems(file),
    ...billingProblems(file),
    ...headerProblems(file),
  ];
}

function at(path: Path, message: string, part: 'key' | 'value' = 'value'): PartProblem {
  return { path, part, message: `${nameOf(path)} ${message}` };
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** The address itself is not repeated: it may hold a password. */
function baseUrlProblems(baseUrl: string): readonly string[] {
  const url = /[\s\p{C}]/u.test(baseUrl) ? null : URL.parse(baseUrl);
  if (url === null) return ['is not an address; write it as https://host or https://host/path'];
  if (!['http:', 'https:'].includes(url.protocol)) return ['is not HTTP; write it with http:// or https://'];
  const problems: string[] = [];
  if (url.username !== '' || url.password !== '') {
    problems.push('holds a user name or password; take it out, keys stand under principals');
  }
  if (/[?#]/.test(baseUrl)) problems.push('holds a query or a fragment; end it with the host or a path');
  return problems;
}

function principalProblems({ principals }: TargetFile): readonly PartProblem[] {
  const problems: PartProblem[] = [];
  const namesByKey = new Map<string, string>();
  if (Object.keys(principals).length === 0) problems.push(at(['principals'], 'is empty; name at least one'));
  for (const [name, { key, adminOf = [] }] of Object.entries(principals)) {
    if (!/^[\p{L}\p{N}._-]{1,64}$/u.test(name)) {
      problems.push(at(['principals', name], 'is no name; use up to 64 letters, digits, ".", "_" or "-"', 'key'));
    }
    problems.push(...repeated(adminOf, ['principals', name, 'adminOf']));
    if (key === '') continue;
    const path = ['principals', name, 'key'];
    const earlier = namesByKey.get(key);
    if (earlier !== undefined) {
      problems.push(at(path, `is the same key as that of ${legible(earlier)}; give each principal its own`));
    }
    namesByKey.set(key, name);
    if (/[\s\p{C}]/u.test(key)) {
      problems.push(
        at(path, 'holds a space, a line break or a control character; give the bare key, without "Bearer"'),
      );
    } else if (!/^[\x21-\xff]{1,4096}$/.test(key)) {
      problems.push(at(path, 'cannot be sent in a header; a key has at most 4096 characters, all of Latin-1'));
    }
  }
  return problems;
}

function organizationProblems({ organizations = {} }: TargetFile): readonly PartProblem[] {
  return Object.entries(organizations).flatMap(([id, { chats = [], disposableDataSources = [] }]) => [
    ...(id === '' ? [at(['organizations', id], 'is an empty ID; write the ID of an organization', 'key')] : []),
    ...repeated(chats, ['organizations', id, 'chats']),
    ...repeated(disposableDataSources, ['organizations', id, 'disposableDataSources']),
  ]);
}

function billingProblems({ billingAccounts = {} }: TargetFile): readonly PartProblem[] {
  const problems: PartProblem[] = [];
  const accountByOrganization = new Map<string, string>();
  for (const [id, { owner, attachable = [] }] of Object.entries(billingAccounts)) {
    const path = ['billingAccounts', id, 'attachable'];
    if (id === '') problems.push(at(['billingAccounts', id], 'is an empty ID; write the ID of an account', 'key'));
    problems.push(...repeated(attachable, path));
    for (const [index, organization] of attachable.entries()) {
      if (organization === owner) {
        problems.push(at([...path, index], "is the account's owner; list organizations that are not attached yet"));
      }
      const other = accountByOrganization.get(organization);
      if (other !== undefined && other !== id) {
        const message = `is attachable to ${legible(other)} too; an organization is attached once, list it under one account`;
        problems.push(at([...path, index], message));
      }
      accountByOrganization.set(organization, id);
    }
  }
  return problems;
}

/** What is used up must not be listed twice: the second use would find it gone. */
function repeated(values: readonly string[], path: Path): readonly PartProblem[] {
  return values.flatMap((value, index) =>
    values.indexOf(value) === index
      ? []
      : [at([...path, index], `(${legible(value)}) stands in the list twice; list it once`)],
  );
}

function headerProblems({ choices }: TargetFile): readonly PartProblem[] {
  const header = choices?.idempotencyHeader;
  const path = ['choices', 'idempotencyHeader'];
  if (header === undefined) return [];
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header)) {
    return [at(path, 'is not the name of a header; use letters, digits and "-", such as Idempotency-Key')];
  }
  if (takenHeaders.has(header.toLowerCase())) {
    return [
      at(
        path,
        `is ${legible(header)}, which has another meaning; name the header for the key, such as Idempotency-Key`,
      ),
    ];
  }
  return [];
}
