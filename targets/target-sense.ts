import { maxSecretsLength } from '../core/target.ts';
import { entryPointProblems } from './entry-points.ts';
import { headerProblems, isHeaderName, whyTaken } from './resolve/header-sense.ts';
import { at, legible, type PartProblem } from './schema-problems.ts';
import type { TargetFile } from './target-schema.ts';
import type { Path, ReadIn } from './target-yaml.ts';

/** The most principals, organizations or billing accounts. */
const mostOfAKind = 2000;

/** Problems that the schema does not find. */
export function senseProblems(file: TargetFile, readIn: ReadIn = () => undefined): readonly PartProblem[] {
  const tooMany = (['principals', 'organizations', 'billingAccounts'] as const).filter(
    (part) => Object.keys(file[part] ?? {}).length > mostOfAKind,
  );
  if (tooMany.length > 0)
    return tooMany.map((part) => at([part], `has more than ${mostOfAKind} entries; leave some out`));
  return [
    ...entryPointProblems(file),
    ...(hasControls(file.name) ? [at(['name'], 'contains a control character; use plain text')] : []),
    ...principalProblems(file),
    ...(lengthOfKeys(file) > maxSecretsLength
      ? [at(['principals'], `has keys of more than ${maxSecretsLength} characters in all`)]
      : []),
    ...organizationProblems(file),
    ...billingProblems(file),
    ...idempotencyProblems(file),
    ...reportProblems(file),
    ...headerProblems(file, readIn),
  ];
}

/** In characters. */
function lengthOfKeys({ principals }: TargetFile): number {
  return Object.values(principals).reduce((sum, { key }) => sum + (typeof key === 'string' ? key.length : 0), 0);
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

function principalProblems({ principals }: TargetFile): readonly PartProblem[] {
  const problems: PartProblem[] = [];
  const namesByKey = new Map<string, string>();
  if (Object.keys(principals).length === 0) problems.push(at(['principals'], 'is empty; name at least one'));
  for (const [name, { key, adminOf = [] }] of Object.entries(principals)) {
    if (!/^[\p{L}\p{N}._-]{1,64}$/u.test(name)) {
      problems.push(
        at(['principals', name], 'is not a valid name; use up to 64 letters, digits, ".", "_" or "-"', 'key'),
      );
    }
    problems.push(...repeated(adminOf, ['principals', name, 'adminOf']));
    if (key === '' || typeof key !== 'string') continue;
    const path = ['principals', name, 'key'];
    const earlier = namesByKey.get(key);
    if (earlier !== undefined) {
      problems.push(at(path, `is also the key of ${legible(earlier)}; give each principal its own key`));
    }
    namesByKey.set(key, name);
    problems.push(...keyProblems(key).map((message) => at(path, message)));
  }
  return problems;
}

function organizationProblems({ organizations = {} }: TargetFile): readonly PartProblem[] {
  return Object.entries(organizations).flatMap(([id, { chats = [], disposableDataSources = [] }]) => [
    ...(id === '' ? [at(['organizations', id], "is an empty ID; write the organization's ID", 'key')] : []),
    ...repeated(chats, ['organizations', id, 'chats']),
    ...repeated(disposableDataSources, ['organizations', id, 'disposableDataSources']),
  ]);
}

function billingProblems({ billingAccounts = {} }: TargetFile): readonly PartProblem[] {
  const problems: PartProblem[] = [];
  const accountByOrganization = new Map<string, string>();
  for (const [id, { owner, attachable = [] }] of Object.entries(billingAccounts)) {
    const path = ['billingAccounts', id, 'attachable'];
    if (id === '') problems.push(at(['billingAccounts', id], "is an empty ID; write the billing account's ID", 'key'));
    problems.push(...repeated(attachable, path));
    for (const [index, organization] of attachable.entries()) {
      if (organization === owner) {
        problems.push(
          at([...path, index], "is the account's owner; list only organizations that are not attached yet"),
        );
      }
      const other = accountByOrganization.get(organization);
      if (other !== undefined && other !== id) {
        const message = `is also listed under ${legible(other)}; an organization can be attached only once, list it under one account`;
        problems.push(at([...path, index], message));
      }
      accountByOrganization.set(organization, id);
    }
  }
  return problems;
}

/** A run uses up each item once, so a second use would fail. */
function repeated(values: readonly string[], path: Path): readonly PartProblem[] {
  return values.flatMap((value, index) =>
    values.indexOf(value) === index
      ? []
      : [at([...path, index], `(${legible(value)}) appears twice in the list; remove one`)],
  );
}

function idempotencyProblems({ choices }: TargetFile): readonly PartProblem[] {
  const header = choices?.idempotencyHeader;
  const path = ['choices', 'idempotencyHeader'];
  if (header === undefined) return [];
  if (!isHeaderName(header)) {
    return [at(path, 'is not a header name; use letters, digits and "-", such as Idempotency-Key')];
  }
  if (header.toLowerCase() === 'cookie' || whyTaken(header) !== undefined) {
    const message = `is ${legible(header)}, which has another purpose; name the header for the key, such as Idempotency-Key`;
    return [at(path, message)];
  }
  return [];
}

function reportProblems({ requestIdHeader, links }: TargetFile): readonly PartProblem[] {
  const url = links?.trace === undefined ? undefined : URL.parse(links.trace);
  const isLink =
    links?.trace === undefined ||
    (url?.protocol.startsWith('http') === true &&
      url.username === '' &&
      /^[\x21-\x7e]*$/.test(links.trace) &&
      links.trace.includes('{traceId}'));
  return [
    ...(requestIdHeader === undefined || isHeaderName(requestIdHeader)
      ? []
      : [at(['requestIdHeader'], 'is not a header name; use letters, digits and "-", such as X-Request-Id')]),
    ...(isLink
      ? []
      : [
          at(
            ['links', 'trace'],
            'is not a URL with {traceId}; write one such as https://tracing.example.com/trace/{traceId}',
          ),
        ]),
  ];
}

/** Why a text cannot be a key. */
export function keyProblems(key: string): readonly string[] {
  if (/[\s\p{C}]/u.test(key)) {
    return ['contains a space, a line break or a control character; give only the key, without "Bearer"'];
  }
  return /^[\x21-\xff]{1,4096}$/.test(key) ? [] : ['cannot be sent in a header; use at most 4096 Latin-1 characters'];
}
