import { stringify } from 'yaml';
import { shown } from '../../core/text.ts';
import type { Answers, PrincipalAnswer } from './answers.ts';

/** What an admin sees of an organization: the first page of each list. */
export type SeenOrganization = {
  readonly id: string;
  readonly by: string;
  /** Such as `130 models`, or why they cannot be read. */
  readonly models: string;
  readonly sources: string;
  /** IDs of data sources, each with its name. */
  readonly sourceNames: readonly string[];
};

/** The target file for the answers, with comments. */
export function targetText(answers: Answers, seen: readonly SeenOrganization[]): string {
  const { name, baseUrl, headers, route, principals, accounts, idempotencyHeader, allow } = answers;
  return `# A target: one deployment of the API, and what the suite may do to it.
#   awc doctor shows what is missing and which checks that blocks
#   awc run    checks the deployment

name: ${value(name)}
baseUrl: ${value(baseUrl)}
# More entry points of the same deployment, such as nodes or regions. Successive requests about one thing go to different ones.
# baseUrls: [https://node-2.example.com]

# TLS with a private authority, or with a certificate of the client. Paths are relative to this file.
${route.tls === undefined ? '# tls: { ca: ca.pem, cert: client.pem, key: client.key }' : `tls: ${value(route.tls)}`}

# HTTP/2: auto uses it where the server chooses it, always insists on it. By default never.
${route.http2 === undefined ? '# http2: auto' : `http2: ${value(route.http2)}`}

# A proxy, or none. By default that of HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY names the host.
${route.proxy === undefined ? "# proxy: 'http://user:${AWC_PROXY_PASSWORD}@proxy.example.com:3128'" : `proxy: ${key(route.proxy)}`}

# Headers of every request, for a gateway. Values from the environment are never printed.
${headersText(headers)}

# Every principal, and all organizations it is admin of. The suite expects a refusal for every other organization, so
# adminOf must be complete. Keys come from the environment; \${NAME:-} makes a principal optional.
# For keys that expire soon: key: { command: ./print-key.sh, refreshSeconds: 600 }.
principals:
${principals.map(principalLine).join('\n')}

# What a run may use up in each organization. It deletes the data sources listed here, and no others.
${organizations(answers, seen)}

# A run attaches the organizations listed as attachable, and no others. None of them may be attached yet.
${accounts.length === 0 ? '# billingAccounts:\n#   ba_1: { owner: org_owner, attachable: [org_new] }' : `billingAccounts:\n${accounts.map(({ id, owner, attachable }) => `  ${key(id)}: ${value({ owner, attachable })}`).join('\n')}`}

# The header that carries idempotency keys. If messages are allowed, awc doctor tries the usual ones.
${idempotencyHeader === undefined ? '# choices: { idempotencyHeader: Idempotency-Key }' : `choices: ${value({ idempotencyHeader })}`}

# What finds a request in the logs and traces of the deployment.
# requestIdHeader: X-Request-Id
# links: { trace: 'https://tracing.example.com/trace/{traceId}' }

# Prompts for the assistant: one that it answers at once, and one that keeps it busy for a while.
assistant:
  quickPrompt: Reply with ok.
  slowPrompt: Describe every model of this organization in depth.
  timeoutSeconds: 120 # how long to wait for a response

# How fast the suite may send, how much a measured time may deviate, and how many requests may search for the rate limit.
# limits: { maxRequestsPerSecond: 20, toleranceMs: 750, rateProbeRequests: 2000 }

# Side effects that a run may have: messages, deletions, attachments, rateLimit, load. Anything else is not run.
allow: ${value(allow)}

# Commands that prepare and clean up the deployment. The JSON that setup prints is merged over this file. The others pause it, move
# its clock, let another node take over and restart it; $AWC_SECONDS is how long, or by how much.
# hooks: { setup: ./setup.sh, teardown: ./teardown.sh, pause: ./pause.sh, clock: ./clock.sh, failover: ./failover.sh, restart: ./restart.sh }
`;
}

function headersText(headers: Answers['headers']): string {
  const lines = Object.entries(headers).map(([name, variable]) => `  ${key(name)}: '\${${variable}}'`);
  return lines.length === 0 ? "# headers: { X-Gateway-Key: '${AWC_GATEWAY_KEY}' }" : `headers:\n${lines.join('\n')}`;
}

function principalLine({ name, variable, adminOf }: PrincipalAnswer): string {
  return `  ${key(name)}: { key: '\${${variable}}', adminOf: ${value(adminOf)} }`;
}

function organizations({ principals, chats, disposable }: Answers, seen: readonly SeenOrganization[]): string {
  const ids = new Set([
    ...principals.flatMap(({ adminOf }) => adminOf),
    ...Object.keys(chats),
    ...Object.keys(disposable),
  ]);
  if (ids.size === 0) return '# organizations:\n#   org_main: { chats: [chat_1], disposableDataSources: [ds_9] }';
  const lines = [...ids].map((id) => {
    const fields = { chats: chats[id] ?? [], disposableDataSources: disposable[id] ?? [] };
    const facts = seen.find((organization) => organization.id === id);
    const comment =
      facts === undefined ? '' : ` # ${shown(`${facts.models}, ${facts.sources}`, 200)}, seen by ${facts.by}`;
    return `  ${key(id)}: ${value(fields)}${comment}`;
  });
  return `organizations:\n${lines.join('\n')}`;
}

/** A value on one line, with \${ escaped. */
function value(data: unknown): string {
  const text = stringify(data, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true });
  return text.trim().replaceAll('${', () => '$${');
}

/** A text on one line, as it is: names are not interpolated, and a proxy may name the variable of its password. */
function key(name: string): string {
  return stringify(name, { lineWidth: 0 }).trim();
}
