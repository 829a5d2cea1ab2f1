import { type Command, Option } from '@commander-js/extra-typings';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { shown } from '../../core/text.ts';
import { acceptGaps } from '../init/accept-gaps.ts';
import { answeredTarget } from '../init/answered-target.ts';
import { gapsSchema, type Given, givenSchema, http2Modes } from '../init/init-options.ts';
import { type Ask, interview } from '../init/interview.ts';
import { type Seen, seeTarget } from '../init/seen.ts';
import { targetText } from '../init/target-text.ts';
import type { Context, Output } from '../shared/context.ts';
import { keyValue } from '../shared/option-values.ts';
import { UserError } from '../shared/user-error.ts';
import { writeWhole } from '../shared/write-whole.ts';

/** `awc init`: a target file from flags, and from questions on a terminal. */
export function configure(command: Command, context: Context): void {
  command
    .argument('[file]', 'the file to write; by default target.yaml, or waivers.yaml with --accept-gaps')
    .option('--base-url <url>', 'the base URL of the deployment')
    .option('--name <name>', 'a short name for the deployment')
    .option(
      '--principal <name=variable>',
      'a principal, and the environment variable that holds its key; repeatable',
      keyValue,
    )
    .option(
      '--header <name=variable>',
      'a header of every request, and the environment variable that holds its value; repeatable',
      keyValue,
    )
    .option('--tls-ca <file>', 'PEM file of the authorities to trust; paths of --tls-… are relative to the target file')
    .option('--tls-cert <file>', 'PEM file of the client certificate')
    .option('--tls-key <file>', 'PEM file of the key of the client certificate')
    .addOption(new Option('--http2 <when>', 'when to use HTTP/2').choices(http2Modes))
    .option('--proxy <url>', "the proxy, such as 'http://user:${VARIABLE}@host:port', or none")
    .option('--admin-of <name=id,id>', 'every organization that a principal is admin of; repeatable', keyValue)
    .option('--chats <org=id,id>', 'chats that may be written to; repeatable', keyValue)
    .option('--disposable <org=id,id>', 'data sources that may be deleted; repeatable', keyValue)
    .option('--billing-account <id=org>', 'a billing account and its owner; repeatable', keyValue)
    .option('--attachable <id=org,org>', 'organizations that may be attached to an account; repeatable', keyValue)
    .option('--idempotency-header <name>', 'the header that carries idempotency keys')
    .option('--allow <effects>', 'the allowed side effects: messages, deletions, attachments, rateLimit, load')
    .option(
      '--accept-gaps <report>',
      'write a waiver file instead, which accepts the musts that the run of this report.json did not exercise',
    )
    .option('--owner <name>', 'with --accept-gaps: the person or team responsible for the gaps')
    .option('--expires <date>', 'with --accept-gaps: the last day of the gaps, by default in 90 days')
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      '\nOn a terminal, awc init asks for everything that the flags leave open. It never asks for a key and never writes one.\nWrite a comma inside an ID as "\\,": "a\\,b" is one ID.',
    )
    .action(async (path) => {
      const gaps = gapsSchema.safeParse(command.opts());
      if (!gaps.success)
        throw new UserError('--owner has 1 to 200 characters, and --expires is a day such as 2027-01-31.');
      const { acceptGaps: report, owner, expires, force } = gaps.data;
      if (report === undefined) {
        if (owner !== undefined || expires !== undefined)
          throw new UserError('--owner and --expires need --accept-gaps.');
        await init(path ?? 'target.yaml', force, givenSchema.parse(command.opts()), context);
        return;
      }
      const file = path ?? 'waivers.yaml';
      mustBeNew(file, force);
      await acceptGaps(report, file, { owner, expires }, context);
    });
}

async function init(path: string, force: boolean, given: Given, context: Context): Promise<void> {
  const { env, out, err } = context;
  mustBeNew(path, force);
  const prompt = process.stdin.isTTY && err.isTTY ? promptOn(process.stdin, err) : undefined;
  const show = (line: string) => void err.write(`${shown(line, 1000)}\n`);
  const opened: Seen[] = [];
  const see: Parameters<typeof interview>[0]['see'] = async (found) => {
    const seen = await seeTarget(found, path, env);
    opened.push(seen);
    return seen;
  };
  try {
    const { answers, seen } = await interview({ given, ask: prompt?.ask, show, see });
    mustBeNew(path, force);
    const variables = [...answers.principals.map(({ variable }) => variable), ...Object.values(answers.headers)];
    await writeTarget(path, targetText(answers, seen.organizations), variables, env);
    const unset = variables.filter((variable) => (env[variable] ?? '') === '');
    const first = unset.length === 0 ? '' : `Set ${unset.join(', ')}, then run: `;
    out.write(`${path} written.\n${first}awc doctor ${path}\n`);
  } finally {
    for (const { close } of opened) close();
    prompt?.close();
  }
}

/** Rejects an existing file. */
function mustBeNew(path: string, force: boolean): void {
  if (!force && existsSync(path)) {
    throw new UserError(`${path} already exists: name another file, or use --force to replace it.`);
  }
}

/** Writes a target file only if it is valid. The variables need not be set yet. */
async function writeTarget(
  path: string,
  text: string,
  variables: readonly string[],
  env: Context['env'],
): Promise<void> {
  const keys = variables.map((variable, index) => [variable, `a-made-up-key-${index}`] as const);
  answeredTarget(text, path, { ...env, ...Object.fromEntries(keys) });
  await writeWhole(path, text);
}

/** Asks on a terminal. Ctrl-C and the end of input end the interview. */
function promptOn(input: NodeJS.ReadStream, output: Output): { readonly ask: Ask; readonly close: () => void } {
  const lines = createInterface({ input, output });
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => {}); // It may end while no question is open.
  lines.once('close', () => reject(new UserError('interrupted; nothing was written.', 130)));
  return { ask: (question) => Promise.race([lines.question(question), ended]), close: () => lines.close() };
}
