import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import lock from '../package-lock.json' with { type: 'json' };
import { finish, type Finished, start } from './finish.ts';
import type { Stage } from './set-stage.ts';

const project = fileURLToPath(new URL('..', import.meta.url));

const stepSchema = z.strictObject({
  id: z.string().optional(),
  name: z.string().optional(),
  if: z.enum(['always()', "always() && inputs.artifact != ''"]).optional(),
  uses: z
    .string()
    .regex(/^actions\/[\w-]+@[0-9a-f]{40}$/)
    .optional(),
  with: z.record(z.string(), z.string()).optional(),
  shell: z.literal('bash').optional(),
  env: z.record(z.string(), z.string()).optional(),
  run: z.string().optional(),
});

const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string().max(125), // the Marketplace shows no more
  inputs: z.record(
    z.string(),
    z.strictObject({ description: z.string(), required: z.literal(true).optional(), default: z.string().optional() }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({ using: z.literal('composite'), steps: z.array(stepSchema) }),
});

export type Action = z.infer<typeof actionSchema> & { readonly folder: string };

/** What a runner leaves: the end of each step of a shell, the outputs, and the summary. */
export type Ran = {
  readonly steps: ReadonlyMap<string, Finished>;
  readonly outputs: ReadonlyMap<string, string>;
  readonly summary: string;
};

/** A runner's folders: for temporary files, the clone of the repository that holds the action, and programs before all others. */
export type Runner = { readonly temp: string; readonly clone: string; readonly bin: string };

/** npm has installed that here already, by the same lock file: unpacking it takes longer than all else that an action does. */
const installsDependencies = 'ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error';

/** npm, but it installs the same only once: trials share a runner, and each action installs into one folder of it. */
const npmOnce = (modules: string) => `#!/bin/bash
[[ "$*" != '${installsDependencies}' ]] || exec ln -sfn '${modules}' node_modules
done="$RUNNER_TEMP/$(printf '%s\\n' "$@" | sha256sum | cut -c 1-64)"
[[ -e "$done" ]] || { PATH="\${PATH#*:}" npm "$@" && : > "$done"; }
`;

/** Clones the repository, as a runner makes it for an action. */
export async function setRunner(temp: string): Promise<Runner> {
  const [clone, bin, modules] = [join(temp, 'action'), join(temp, 'bin'), join(temp, 'dependencies')];
  await mkdir(bin);
  await linkDependencies(modules);
  await writeFile(join(bin, 'npm'), npmOnce(modules), { mode: 0o755 });
  await finish('git', ['clone', '--quiet', '--depth', '1', pathToFileURL(project).href, clone], { cwd: '/' });
  return { temp, clone, bin };
}

/** The folders that npm makes in node_modules without the packages of development. */
export const dependencies = Object.entries(lock.packages).flatMap(([path, entry]) => {
  const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
  return name === undefined || 'dev' in entry ? [] : [name];
});

async function linkDependencies(folder: string): Promise<void> {
  for (const name of dependencies) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await symlink(join(project, 'node_modules', name), join(folder, name));
  }
}

/** The action in a folder of the project. */
export async function readAction(folder: string): Promise<Action> {
  return { folder, ...actionSchema.parse(parse(await readFile(join(project, folder, 'action.yml'), 'utf8'))) };
}

/** Runs the shell steps of an action as a runner would: each if it should, with its env, by its shell. */
export async function runAction(
  action: Action,
  inputs: Readonly<Record<string, string>>,
  { folder, env }: Pick<Stage, 'folder' | 'env'>,
  { temp, clone, bin }: Runner,
): Promise<Ran> {
  const defaults = Object.entries(action.inputs).map(([name, { default: value = '' }]) => [name, value] as const);
  const values = new Map([...defaults, ...Object.entries(inputs)]);
  const [output, summary, script] = ['output', 'summary', 'step.sh'].map((name) => join(folder, name));
  if (output === undefined || summary === undefined || script === undefined) throw new Error('three names give three');
  await Promise.all([output, summary].map((path) => writeFile(path, '')));
  const read = (_: string, steps: string | undefined, name: string) =>
    values.get(steps === undefined ? name : `steps.${name}`) ?? '';
  const steps = new Map<string, Finished>();
  let failed = false;
  for (const step of action.runs.steps) {
    if (step.run === undefined || (failed && step.if === undefined)) continue;
    for (const [name, value] of await outputsIn(output)) values.set(`steps.${name}`, value);
    const own = Object.entries(step.env ?? {}).map(
      ([name, value]) =>
        [name, value.replace(/\$\{\{ (?:inputs|(steps)\.\w+\.outputs)\.([\w-]+) \}\}/g, read)] as const,
    );
    await writeFile(script, step.run);
    const files = {
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_ACTION_PATH: join(clone, action.folder),
    };
    const given = { ...env, RUNNER_TEMP: temp, PATH: `${bin}:${env['PATH'] ?? ''}`, ...files };
    const options = { cwd: folder, env: { ...given, ...Object.fromEntries(own) } };
    const ended = await start('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], options).finished;
    steps.set(step.name ?? '', ended);
    failed ||= ended.code !== 0;
  }
  const { awc: _path, ...outputs } = Object.fromEntries(await outputsIn(output));
  return { steps, outputs: new Map(Object.entries(outputs)), summary: await readFile(summary, 'utf8') };
}

/** The outputs in a file: `name=value`, or `name<<delimiter`, lines, and the delimiter. */
async function outputsIn(file: string): Promise<readonly (readonly [name: string, value: string])[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  const outputs: (readonly [string, string])[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, name = '', delimiter = ''] = /^([\w-]+)<<(.+)$/.exec(line) ?? [];
    if (name !== '') {
      const end = lines.indexOf(delimiter, at + 1);
      outputs.push([name, lines.slice(at + 1, end).join('\n')]);
      at = end;
    } else if (line !== '') outputs.push([line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  }
  return outputs;
}
