import { requirement, type RequirementId } from '../spec/catalogue.ts';
import type { Level, Operation } from '../spec/requirement.ts';
import type { Api } from './api.ts';
import type { SideEffect } from '../core/target.ts';

/**
 * When a check runs. `together`: side by side with others. `messages`: the same, for checks that read no list and no count.
 * `deletions` and `attachments`: one by one, once nothing else reads the lists and counts that they change. `changes`: one by
 * one after both, because they change or read everything. `rateLimit`: alone, because all other checks would wait. `later`:
 * alone, after some time and before an outage can change the result. `outage`: alone, because the deployment may not answer.
 * `last`: one by one after everything else, on all recorded answers or on what the writes of the run left behind.
 */
export const phases = [
  'together',
  'messages',
  'deletions',
  'attachments',
  'changes',
  'rateLimit',
  'later',
  'outage',
  'last',
] as const;
export type Phase = (typeof phases)[number];

/** A test of one requirement, by default of the catalogue. */
export type Check<Id extends string = RequirementId> = {
  /** The requirement's id, followed by what distinguishes several checks of one requirement. */
  readonly id: string;
  readonly requirement: Id;
  /** The section of the specification, or `own` for a vendor's own check. */
  readonly section: string;
  readonly sentence: string;
  readonly operation: Operation;
  readonly level: Level;
  /** The id and the catalogue's sentence. */
  readonly title: string;
  readonly phase: Phase;
  /** Its side effects; the target file must allow each of them. */
  readonly uses: readonly SideEffect[];
  /** Side effects that it has only if the target file allows them. */
  readonly mayUse: readonly SideEffect[];
  /** Times are judged only when they are wrong this many times in a row. */
  readonly tries: number;
  /** It needs more than other checks of its requirement; if it is blocked, the others decide. */
  readonly extended: boolean;
  /** Whether other traffic cannot cause a violation of it, so that nothing is watched for such traffic. */
  readonly isImmune: boolean;
  readonly run: (api: Api) => Promise<void>;
};

export type CheckOptions = {
  /** The operation it tests; needed where the requirement names several. */
  readonly on?: Operation;
  /** Distinguishes several checks of one requirement and operation. */
  readonly variant?: string;
  readonly phase?: Phase;
  readonly uses?: readonly SideEffect[];
  /** Set for a check that judges what other checks saw as well, and that uses everything that is allowed. */
  readonly mayUse?: readonly SideEffect[];
  /** Set to 3 where a slow network could look like a violation. */
  readonly tries?: number;
  /** True for a check that needs more than a usual target declares, if another check of the requirement does not. */
  readonly extended?: boolean;
  /** True if other traffic cannot cause a violation. */
  readonly isImmune?: boolean;
};

type Run = Check['run'];

/** A check of the requirement. Its id is the id of the requirement, followed by `/operation` if the requirement has several, and `/variant`. */
export function check(id: RequirementId, ...rest: readonly [Run] | readonly [CheckOptions, Run]): Check {
  const [options, run] = rest.length === 1 ? [{}, rest[0]] : rest;
  const { section, sentence, operations, level } = requirement(id);
  const operation = options.on ?? operations[0];
  if (operation === undefined) throw new Error(`${id} names no operation`);
  const suffix = [options.on, options.variant].filter((part) => part !== undefined).map((part) => `/${part}`);
  const checkId = `${id}${suffix.join('')}`;
  return {
    id: checkId,
    requirement: id,
    section,
    sentence,
    operation,
    level,
    title: `${checkId}: ${sentence}`,
    phase: options.phase ?? (options.uses?.includes('messages') === true ? 'messages' : 'together'),
    uses: options.uses ?? [],
    mayUse: options.mayUse ?? [],
    tries: options.tries ?? 1,
    extended: options.extended ?? false,
    isImmune: options.isImmune ?? false,
    run,
  };
}
