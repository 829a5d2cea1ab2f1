import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import type { Environment } from '../interpolate.ts';
import { readBounded } from '../read-bounded.ts';
import { resolveHeaders } from '../resolve/headers.ts';
import { resolveProxy } from '../resolve/proxy.ts';
import { schemaProblems } from '../schema-problems.ts';
import { TargetFileError } from '../target-file-error.ts';
import { parseTarget } from '../target-file.ts';
import { type TargetFile, targetFileSchema } from '../target-schema.ts';
import { parseTargetYaml, type ReadIn } from '../target-yaml.ts';

/** The commands of a target file, and their environment. */
export type Hooks = NonNullable<TargetFile['hooks']> & {
  /** The folder of the target file, where they are run. */
  readonly folder: string;
  /** The environment, and $AWC_TARGET for the path of the target file. */
  readonly environment: Environment;
  /** The keys and other secrets that are known before the setup. */
  readonly keys: readonly string[];
};

/** The setup may supply fields that the file lacks. */
const draftSchema = targetFileSchema.partial();
type Draft = z.infer<typeof draftSchema>;

/**
 * The hooks of a target file. Throws TargetFileError for every problem that no setup could fix, so that nothing is set up for
 * an impossible run.
 */
export function readHooks(path: string, environment: Environment): Hooks {
  const text = readBounded(path);
  const yaml = parseTargetYaml(text, environment);
  const draft = draftSchema.safeParse(yaml.value);
  const isWhole = targetFileSchema.safeParse(yaml.value).success;
  const hooks = draft.data?.hooks ?? {};
  if (hooks.setup === undefined || (isWhole && hasKey(draft.data))) parseTarget(text, path, environment);
  if (!draft.success || yaml.problems.length > 0) {
    const found = schemaProblems(draftSchema, draft.error?.issues ?? [], yaml.value);
    const located = found.map(({ path: at, part, message }) => ({ message, at: yaml.placeOf(at, part) }));
    throw new TargetFileError(path, [...yaml.problems, ...located]);
  }
  const absolute = resolve(path);
  return {
    ...hooks,
    folder: dirname(absolute),
    environment: { ...environment, AWC_TARGET: absolute },
    keys: secretsIn(draft.data, environment, yaml.readIn),
  };
}

function hasKey(draft: Draft | undefined): boolean {
  return Object.values(draft?.principals ?? {}).some(({ key }) => key !== '');
}

/** The keys, and everything else that is secret to a run. Hooks also hide the headers that are written in the file. */
function secretsIn(draft: Draft, environment: Environment, readIn: ReadIn): readonly string[] {
  const file = { ...draft, principals: draft.principals ?? {} };
  const principals = Object.entries(file.principals).map(([name, { key }]) => ({
    name,
    key: typeof key === 'string' ? key : '',
    variable: '',
    adminOf: [],
  }));
  const { secrets = [] } = resolveHeaders(file, principals, resolveProxy(file, environment).secrets, {
    readIn(path) {
      const read = readIn(path);
      return read?.length === 0 ? undefined : read;
    },
  });
  return [...principals, ...secrets].map(({ key }) => key).filter((key) => key !== '');
}
