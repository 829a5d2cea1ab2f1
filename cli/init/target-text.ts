import { stringify } from 'yaml';
import { shown } from '../../core/text.ts';
import type { Answers, PrincipalAnswer } from './answers.ts';
import type { SeenOrganization } from './seen.ts';

/** The target file that follows from the answers, with comments for whoever changes it. */
export function targetText(answers: Answers, seen: readonly SeenOrganization[]): string {
  const { name, baseUrl, principals, accounts, idempotencyHeader, allow } = answers;
  return `# A target: one deployment of the API, and what the suite may do to it.
#   awc doctor says what is missing and which checks that blocks
#   awc run    checks the deployment

name: ${value(name)}
baseUrl: ${value(baseUrl)}

# Everybody who has a key, and every organization they are admin of. Whatever is not listed they must not reach, so
# adminOf must be complete. Keys come from the environment; write \${NAME:-} to do without one that is not set.
principals:
${principals.map(principalLine).join('\n')}

# What may be used up in each organization. Data sources listed here will be deleted, and no others.
${organizations(answers, seen)}

# Organizations listed as attachable will be attached to the account, and no others. None of them is attached yet.
${accounts.length === 0 ? '# billingAccounts:\n#   ba_1: { owner: org_owner, attachable: [org_new] }' : `billingAccounts:\n${accounts.map(({ id, owner, attachable }) => `  ${key(id)}: ${value({ owner, attachable })}`).join('\n')}`}

# The header that carries idempotency keys. awc doctor tries the usual ones where messages are allowed.
${idempotencyHeader === undefined ? '# choices: { idempotencyHeader: Idempotency-Key }' : `choices: ${value({ idempotencyHeader })}`}

# What to ask the assistant: one message that it answers at once, one that keeps it busy for a while.
assistant:
  quickPrompt: Reply with ok.
  slowPrompt: Describe every model of this organization in depth.
  timeoutSeconds: 120 # a response that takes longer is given up on

# How fast the suite may be, how far a measured time may be off, and how many requests may look for the rate limit.
# limits: { maxRequestsPerSecond: 20, toleranceMs: 750, rateProbeRequests: 2000 }

# Nothing with a side effect runs unless it is named here: messages, deletions, attachments, rateLimit, load.
allow: ${value(allow)}

# Commands that prepare, clean up, and restart the deployment. What setup prints, as JSON, is merged over this file.
# hooks: { setup: ./setup.sh, teardown: ./teardown.sh, restart: ./restart.sh }
`;
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

/** A value in one line, in which \${ stands for itself. */
function value(data: unknown): string {
  const text = stringify(data, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true });
  return text.trim().replaceAll('${', () => '$${');
}

/** Names are not interpolated. */
function key(name: string): string {
  return stringify(name, { lineWidth: 0 }).trim();
}
