import type { BillingAccount, Organization, Principal, Target } from '../../core/target.ts';
import { type Proxy, proxyOf } from '../../core/network/proxy.ts';
import { entryPointsOf } from '../entry-points.ts';
import { isLoopback } from '../is-loopback.ts';
import { freeVariable } from './free-variable.ts';
import { emptyHeaders, resolveHeaders } from './headers.ts';
import type { TargetFile } from '../target-schema.ts';
import type { Path, TargetYaml } from '../target-yaml.ts';

const remoteRequestsPerSecond = 50;

const insecureNote =
  'tls.insecure accepts every certificate: another server may have answered, and may have read the keys. Nothing can be certified.';

/** The text of the file. Without it, the order of the fields decides. */
export type Source = Pick<TargetYaml, 'variableOf' | 'readIn' | 'offsetOf'>;

const noSource: Source = { variableOf: () => undefined, readIn: () => undefined, offsetOf: () => 0 };

/** Fills in every default. Principals without a key are left out, each with a note. */
export function resolveTarget(
  file: TargetFile,
  { tls, proxyFor, secrets = [] }: Pick<Target, 'tls' | 'proxyFor' | 'secrets'>,
  source: Source = noSource,
): { readonly target: Target; readonly notes: readonly string[] } {
  const { principals, notes } = resolvePrincipals(file, source);
  const headers = resolveHeaders(file, principals, secrets, source);
  const idempotencyHeader = file.choices?.idempotencyHeader?.toLowerCase();
  const baseUrls = entryPointsOf(file);
  const [baseUrl = ''] = baseUrls;
  const proxies = baseUrls.flatMap((url) => proxyOf({ baseUrl: url, proxyFor }) ?? []);
  const target: Target = {
    // Every report shows the name.
    name: tls?.insecure === true ? `${file.name} (TLS not verified)` : file.name,
    baseUrl,
    ...(baseUrls.length > 1 ? { baseUrls } : {}),
    ...(tls === undefined ? {} : { tls }),
    ...(file.http2 === undefined ? {} : { http2: file.http2 }),
    ...(proxies.length === 0 ? {} : { proxyFor }),
    ...(file.requestIdHeader === undefined ? {} : { requestIdHeader: file.requestIdHeader.toLowerCase() }),
    ...(file.links?.trace === undefined ? {} : { traceLink: file.links.trace }),
    ...headers,
    organizations: resolveOrganizations(file, source),
    billingAccounts: resolveBillingAccounts(file),
    ...(idempotencyHeader === undefined ? {} : { idempotencyHeader }),
    assistant: {
      quickPrompt: file.assistant?.quickPrompt ?? 'Reply with ok.',
      slowPrompt: file.assistant?.slowPrompt ?? 'Describe every model of this organization in depth.',
      timeoutSeconds: file.assistant?.timeoutSeconds ?? 120,
    },
    limits: {
      maxRequestsPerSecond:
        file.limits?.maxRequestsPerSecond ?? (baseUrls.every(isLoopback) ? Infinity : remoteRequestsPerSecond),
      toleranceMs: file.limits?.toleranceMs ?? 750,
      rateProbeRequests: file.limits?.rateProbeRequests ?? 2000,
    },
    allow: new Set(file.allow),
  };
  return {
    target,
    notes: [...notes, ...emptyHeaders(file), ...proxyNotes(proxies), ...(tls?.insecure === true ? [insecureNote] : [])],
  };
}

function proxyNotes(proxies: readonly Proxy[]): readonly string[] {
  const sentences = proxies.map(
    ({ name, from }) => `Requests go through the proxy ${name} from ${from}, which adds to every measured time.`,
  );
  return [...new Set(sentences)];
}

function resolvePrincipals(file: TargetFile, source: Source) {
  const principals: Principal[] = [];
  const notes: string[] = [];
  for (const [name, { key, adminOf = [] }] of Object.entries(file.principals)) {
    const reference = source.variableOf(['principals', name, 'key']);
    if (typeof key !== 'string') {
      principals.push({
        name,
        key: '',
        variable: freeVariable(variableFor(name), principals),
        keyCommand: key,
        adminOf,
      });
    } else if (key === '') {
      const reason = reference === undefined ? 'its key is empty' : `$${reference} is empty`;
      notes.push(`Principal ${name} is left out because ${reason}. Checks that need it are blocked.`);
    } else {
      const variable = freeVariable(reference ?? variableFor(name), principals);
      principals.push({ name, key, variable, ...(reference === undefined ? { isWritten: true } : {}), adminOf });
    }
  }
  return { principals, notes };
}

function variableFor(name: string): string {
  return `AWC_KEY_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
}

function resolveOrganizations(file: TargetFile, source: Source): readonly Organization[] {
  const declared = new Map(Object.entries(file.organizations ?? {}));
  const named = namedOrganizations(file)
    .map(({ id, path, part }) => ({ id, offset: source.offsetOf(path, part) }))
    .toSorted((a, b) => a.offset - b.offset);
  return [...new Set(named.map(({ id }) => id))].map((id) => ({
    id,
    chats: declared.get(id)?.chats ?? [],
    disposableDataSources: declared.get(id)?.disposableDataSources ?? [],
  }));
}

type Named = { readonly id: string; readonly path: Path; readonly part: 'key' | 'value' };

/** Every mention of an organization in the file. */
function namedOrganizations(file: TargetFile): readonly Named[] {
  const list = (ids: readonly string[], path: Path): readonly Named[] =>
    ids.map((id, index) => ({ id, path: [...path, index], part: 'value' }));
  return [
    ...Object.entries(file.principals).flatMap(([name, { adminOf = [] }]) =>
      list(adminOf, ['principals', name, 'adminOf']),
    ),
    ...Object.keys(file.organizations ?? {}).map((id): Named => ({ id, path: ['organizations', id], part: 'key' })),
    ...Object.entries(file.billingAccounts ?? {}).flatMap(([account, { owner, attachable = [] }]): readonly Named[] => [
      { id: owner, path: ['billingAccounts', account, 'owner'], part: 'value' },
      ...list(attachable, ['billingAccounts', account, 'attachable']),
    ]),
  ];
}

function resolveBillingAccounts(file: TargetFile): readonly BillingAccount[] {
  return Object.entries(file.billingAccounts ?? {}).map(([id, { owner, attachable = [] }]) => ({
    id,
    owner,
    attachable,
  }));
}
