import { realClock } from '../../core/clock.ts';
import type { KeyRenewal, Principal, Secret, Target } from '../../core/target.ts';
import { type Hook, hookFailure, runHook } from '../hooks/run-hook.ts';
import { TargetFileError } from '../target-file-error.ts';
import { keyProblems } from '../target-sense.ts';

/** Where commands are run. */
type CommandPlace = Pick<Hook, 'folder' | 'environment'>;

const timeoutMs = 30_000;
/** The pause after a command that failed. */
const retryMs = 5000;

type Held = { readonly principal: Principal; readonly first: string; latest: string; dueAt: number };

/**
 * The target with the keys that its commands print, and their renewal. Its list of secrets grows with every key. Rejects with
 * TargetFileError if a command fails; the message contains nothing that a command printed.
 */
export async function fetchKeys(target: Target, place: CommandPlace): Promise<Target> {
  const commands = target.principals.filter(({ keyCommand }) => keyCommand !== undefined);
  if (commands.length === 0) return target;
  const fetched = await Promise.all(commands.map((principal) => fetchKey(principal, place)));
  const failures = fetched.flatMap(({ problem }) => (problem === undefined ? [] : [{ message: problem }]));
  if (failures.length > 0) throw new TargetFileError('the target', failures);
  const held = commands.map((principal, index): Held => {
    const key = fetched[index]?.key ?? '';
    return { principal, first: key, latest: key, dueAt: dueAt(principal) };
  });
  const keyOf = (name: string) => held.find(({ principal }) => principal.name === name)?.first;
  const principals = target.principals.map((principal) => ({
    ...principal,
    key: keyOf(principal.name) ?? principal.key,
  }));
  const same = principals.find(({ key }, index) => principals.findIndex((other) => other.key === key) < index);
  if (same !== undefined) {
    throw new TargetFileError('the target', [
      { message: `principals.${same.name}.key is also the key of another principal; give each principal its own key` },
    ]);
  }
  const secrets: Secret[] = [...(target.secrets ?? [])];
  return { ...target, principals, secrets, renewal: renewalOf(held, secrets, place) };
}

function renewalOf(held: readonly Held[], secrets: Secret[], place: CommandPlace): KeyRenewal {
  let version = 0;
  let underWay: Promise<void> | undefined;

  async function renew(due: readonly Held[]): Promise<void> {
    for (const one of due) {
      const { key } = await fetchKey(one.principal, place);
      one.dueAt = key === undefined ? realClock.now() + retryMs : dueAt(one.principal);
      if (key === undefined || key === one.latest) continue;
      secrets.push({ key, variable: one.principal.variable });
      one.latest = key;
      version += 1;
    }
  }

  return {
    refresh() {
      const due = held.filter(({ dueAt: at }) => at <= realClock.now());
      if (underWay === undefined && due.length > 0) {
        underWay = renew(due).finally(() => {
          underWay = undefined;
        });
      }
      return underWay ?? Promise.resolve();
    },
    version: () => version,
    latest: (text) => held.reduce((whole, { first, latest }) => whole.replaceAll(first, () => latest), text),
    first: (text) => held.reduce((whole, { first, latest }) => whole.replaceAll(latest, () => first), text),
  };
}

function dueAt({ keyCommand }: Principal): number {
  return realClock.now() + (keyCommand?.refreshSeconds ?? 0) * 1000;
}

type Fetched =
  | { readonly key: string; readonly problem?: undefined }
  | { readonly key?: undefined; readonly problem: string };

async function fetchKey({ name, keyCommand }: Principal, place: CommandPlace): Promise<Fetched> {
  const result = await runHook({ ...place, command: keyCommand?.command ?? '', timeoutMs });
  const key = result.stdout.trim();
  const failure = hookFailure(result) ?? (key === '' ? 'printed nothing' : keyProblems(key)[0]);
  if (failure === undefined) return { key };
  return { problem: `principals.${name}.key.command ${failure}; it must print the key, and nothing else, within 30 s` };
}
