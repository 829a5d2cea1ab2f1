import type { z } from 'zod';
import type { Path } from '../../targets/target-yaml.ts';
import type { SideEffect, Target } from '../../core/target.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { latencyHeadline } from '../judge/headline.ts';
import type { Measured } from '../judge/measured.ts';
import type { LoadOperation, OnceOperation } from '../profile/mix.ts';
import type { Load, LoadOptions, Profile } from '../profile/profile.ts';
import type { OpenSchedule } from '../schedule/arrivals.ts';
import type { FlowLoad } from './flow/flow-steps.ts';

/**
 * All that is special about one kind of load: `Written` is what a profile says under `load`, `Settings` is made from it. A field
 * without a comment means what the field of the same name means in `Load` (load/profile/profile.ts).
 */
export type LoadKindRecord<Written, Settings extends object> = {
  /** Its name under `load` in a profile, and in load.json. */
  readonly name: string;
  /** The shipped profile that shows it. */
  readonly example: string;
  /** Each field has a `describe`, for the document of all fields. */
  readonly schema: z.ZodType<Written>;
  /** Problems although each field is valid. */
  readonly check?: (written: Written, readFile: ReadFile) => readonly FieldProblem[];
  /** Names beside those of operations that thresholds can be about. */
  readonly stepNames?: (written: Written) => readonly string[];
  /** Whether the load itself says how long it takes; otherwise the profile needs a duration. */
  readonly hasOwnDuration?: (written: Written) => boolean;
  /** The operations that use up what they send and that it can send once. */
  readonly usesUp?: (written: Written) => readonly OnceOperation[];
  /** What it sends, such as `messages`, if not the operations of the profile. */
  readonly sendsInstead?: string;
  /** What it sends beside the operations of the profile, without a schedule. */
  readonly sendsBeside?: LoadOperation;
  /** Plain data: the digest of a profile covers it, so the order of the fields matters too. */
  readonly resolve: (written: Written, durationMs: number, readFile: ReadFile) => Settings;
  readonly plannedMs: (settings: Settings) => Load['plannedMs'];
  readonly besideMs?: (settings: Settings) => number;
  readonly peakPerSecond?: (settings: Settings) => number;
  readonly schedule?: (settings: Settings) => OpenSchedule;
  readonly flow?: (settings: Settings) => FlowLoad;
  /** Without it, that of the schedule if there is one. */
  readonly curve?: (settings: Settings) => Load['curve'];
  readonly isThroughputOnly?: true;
  readonly effects?: (settings: Settings) => readonly SideEffect[];
  readonly describe: (settings: Settings, profile: Profile, target: Target) => string;
  readonly describeEffects?: Load['describeEffects'];
  /** Without it, a run sums up its latency and its rate. */
  readonly headline?: (settings: Settings, measured: Measured) => string;
  readonly run: (settings: Settings, profile: Profile, options: LoadOptions) => Promise<LoadRecord>;
};

/** The limit of the target file, as a part of a description. */
export function atMost({ limits: { maxRequestsPerSecond: most } }: Target): string {
  return Number.isFinite(most) ? `, at most ${most} a second` : '';
}

/** `path` begins below the name of the kind. */
export type FieldProblem = { readonly path: Path; readonly message: string };

/** The text of a file beside the profile. Throws TargetFileError if it cannot be read. */
export type ReadFile = (path: string) => string;

/** A kind in the table, without the types of its settings. */
export type LoadKind = {
  readonly name: string;
  readonly example: string;
  readonly schema: z.ZodType;
  readonly sendsInstead: string | undefined;
  readonly sendsBeside: LoadOperation | undefined;
  /** Reads what the schema has accepted. */
  readonly read: (
    written: unknown,
    readFile: ReadFile,
  ) => {
    readonly problems: readonly FieldProblem[];
    readonly stepNames: readonly string[];
    readonly hasOwnDuration: boolean;
    readonly usesUp: readonly OnceOperation[];
    readonly resolve: (durationMs: number) => Load;
  };
};

export function loadKind<Written, Settings extends object>(
  kind: LoadKindRecord<Written, Settings>,
): LoadKind & { readonly of: (settings: Settings) => Load } {
  const { name, example, schema, sendsInstead, sendsBeside } = kind;
  const of = (settings: Settings): Load => ({
    kind: name,
    settings,
    schedule: kind.schedule?.(settings),
    flow: kind.flow?.(settings),
    curve: (kind.curve ?? kind.schedule)?.(settings),
    isThroughputOnly: kind.isThroughputOnly ?? false,
    sendsBeside,
    plannedMs: kind.plannedMs(settings),
    besideMs: kind.besideMs?.(settings) ?? 0,
    peakPerSecond: kind.peakPerSecond?.(settings),
    effects: kind.effects?.(settings) ?? [],
    describe: (profile, target) => kind.describe(settings, profile, target),
    describeEffects: kind.describeEffects ?? (() => undefined),
    headline: (measured) => kind.headline?.(settings, measured) ?? latencyHeadline(measured),
    run: (profile, options) => kind.run(settings, profile, options),
  });
  return {
    name,
    example,
    schema,
    sendsInstead,
    sendsBeside,
    of,
    read(written, readFile) {
      const checked = schema.parse(written);
      return {
        problems: kind.check?.(checked, readFile) ?? [],
        stepNames: kind.stepNames?.(checked) ?? [],
        hasOwnDuration: kind.hasOwnDuration?.(checked) ?? false,
        usesUp: kind.usesUp?.(checked) ?? [],
        resolve: (durationMs) => of(kind.resolve(checked, durationMs, readFile)),
      };
    },
  };
}
