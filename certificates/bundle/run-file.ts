import { hash } from '../../core/hash.ts';
import { redactorOf } from '../../core/redaction/redact.ts';
import type { Target } from '../../core/target.ts';
import type { RunRecord } from '../../reports/record/record.ts';
import { type RunFile, runFileSchema } from './run-file-schema.ts';

/** The premises of a run, with its keys. */
export type RunPremises = Pick<
  RunFile,
  'suite' | 'revision' | 'seed' | 'challenge' | 'servers' | 'startedAt' | 'embedded' | 'notes'
> & {
  readonly target: Target;
};

/** The run file without keys: each principal has a stand-in for its key. */
export function runFileOf({ target, ...run }: RunPremises): RunFile {
  const { name, baseUrl, baseUrls, principals, organizations, billingAccounts, idempotencyHeader, assistant } = target;
  const { limits, allow, secrets = [] } = target;
  const whole = {
    format: 'awc-run/1',
    ...run,
    target: {
      name,
      baseUrl,
      baseUrls,
      principals: principals.map((principal) => ({
        name: principal.name,
        variable: principal.variable,
        standIn: standInFor(principal),
        adminOf: principal.adminOf,
        headers: principal.headers && imitated(principal.headers, target),
      })),
      secrets:
        secrets.length === 0
          ? undefined
          : secrets.map(({ key, variable }) => ({ variable, standIn: standInFor({ name: variable, key }) })),
      organizations,
      billingAccounts,
      idempotencyHeader,
      assistant,
      limits: {
        ...limits,
        maxRequestsPerSecond: Number.isFinite(limits.maxRequestsPerSecond) ? limits.maxRequestsPerSecond : null,
      },
      allow: [...allow],
    },
  };
  return runFileSchema.parse(withoutKeys(whole, redactorOf(target)));
}

const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();

/**
 * A key of the same form that was never issued, for judging a run again without the key. It has the same length, with digits,
 * letters and punctuation in the same places, because the wrong keys that checks send depend only on these.
 */
function standInFor({ name, key }: { readonly name: string; readonly key: string }): string {
  return Array.from({ length: key.length }, (_, place) => {
    const character = key.charAt(place);
    const alphabet = [digits, lower, upper].find((members) => members.includes(character));
    if (alphabet !== undefined) return alphabet.charAt(hash(`${name} ${place}`) % alphabet.length);
    return /[-_.]/.test(character) ? character : '!';
  }).join('');
}

/** The same headers with a stand-in for every secret in them. */
function imitated(headers: Readonly<Record<string, string>>, target: Target): Record<string, string> {
  const standIns = new Map([
    ...target.principals.map((principal) => [principal.variable, standInFor(principal)] as const),
    ...(target.secrets ?? []).map(
      (secret) => [secret.variable, standInFor({ ...secret, name: secret.variable })] as const,
    ),
  ]);
  const { pieces } = redactorOf(target);
  const imitate = (value: string) =>
    pieces(value)
      .map((piece) =>
        piece.kind === 'literal'
          ? piece.text
          : (standIns.get(piece.variable) ?? '').slice(piece.part?.start, piece.part?.end),
      )
      .join('');
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, imitate(value)]));
}

function withoutKeys(value: unknown, redactor: { readonly text: (text: string) => string }): unknown {
  if (typeof value === 'string') return redactor.text(value);
  if (Array.isArray(value)) return value.map((item) => withoutKeys(item, redactor));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(fields.map(([name, item]) => [name, withoutKeys(item, redactor)]));
}

/** The target for judging a run again. */
export function standInTarget({ target }: RunFile): Target {
  const { principals, secrets, idempotencyHeader, limits, allow, ...rest } = target;
  return {
    ...rest,
    principals: principals.map(({ standIn, ...principal }) => ({ ...principal, key: standIn })),
    ...(secrets === undefined ? {} : { secrets: secrets.map(({ standIn, variable }) => ({ key: standIn, variable })) }),
    ...(idempotencyHeader === undefined ? {} : { idempotencyHeader }),
    limits: { ...limits, maxRequestsPerSecond: limits.maxRequestsPerSecond ?? Number.POSITIVE_INFINITY },
    allow: new Set(allow),
  };
}

/** The target as the report shows it. */
export function reportedTarget({ target: { name, baseUrl }, embedded }: RunFile): RunRecord['target'] {
  return { name, baseUrl, ...(embedded ? { embedded: { faults: [], choices: {} } } : {}) };
}
