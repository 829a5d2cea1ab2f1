import type { Command } from 'commander';
import { z } from 'zod';
import { shown } from '../../core/text.ts';
import type { Context } from '../shared/context.ts';
import type { PrincipalAnswer } from '../init/answers.ts';
import { interview } from '../init/interview.ts';
import { promptOn } from '../init/prompt.ts';
import { type Seen, seeTarget } from '../init/seen.ts';
import { targetText } from '../init/target-text.ts';
import { mustBeNew, writeTarget } from '../init/write-target.ts';
import { keyValue } from '../shared/option-values.ts';

const pairs = z.record(z.string(), z.string()).optional();

const optionsSchema = z.object({
  force: z.boolean().default(false),
  baseUrl: z.string().optional(),
  name: z.string().optional(),
  principal: pairs,
  adminOf: pairs,
  chats: pairs,
  disposable: pairs,
  billingAccount: pairs,
  attachable: pairs,
  idempotencyHeader: z.string().optional(),
  allow: z.string().optional(),
});

/** `awc init`: a target file from answers, which flags or a terminal give. */
export function configureInit(command: Command, context: Context): void {
  command
    .argument('[file]', 'the target file to write', 'target.yaml')
    .option('--base-url <url>', 'where the deployment is')
    .option('--name <name>', 'a short name for it')
    .option(
      '--principal <name=variable>',
      'somebody, and the environment variable with the key; may be repeated',
      keyValue,
    )
    .option('--admin-of <name=id,id>', 'every organization that somebody is admin of; may be repeated', keyValue)
    .option('--chats <org=id,id>', 'chats that may be written to; may be repeated', keyValue)
    .option('--disposable <org=id,id>', 'data sources that may be deleted; may be repeated', keyValue)
    .option('--billing-account <id=org>', 'a billing account and its owner; may be repeated', keyValue)
    .option('--attachable <id=org,org>', 'organizations that may be attached to an account; may be repeated', keyValue)
    .option('--idempotency-header <name>', 'the header that carries idempotency keys')
    .option('--allow <effects>', 'what a run may do: messages, deletions, attachments, rateLimit, load')
    .option('--force', 'replace the file if it is there')
    .addHelpText(
      'after',
      '\nOn a terminal it asks for what no flag says. It never asks for a key, and writes none.\nA comma that belongs to an ID stands behind a backslash: "a\\,b" is one ID.',
    )
    .action(async (path: string) => {
      await init(path, optionsSchema.parse(command.opts()), context);
    });
}

async function init(path: string, { force, ...given }: z.infer<typeof optionsSchema>, context: Context): Promise<void> {
  const { env, out, err } = context;
  mustBeNew(path, force);
  const prompt = process.stdin.isTTY && err.isTTY ? promptOn(process.stdin, err) : undefined;
  const tell = (line: string) => void err.write(`${shown(line, 500)}\n`);
  const opened: Seen[] = [];
  const see = async (baseUrl: string, principals: readonly PrincipalAnswer[]) => {
    const seen = await seeTarget(baseUrl, principals, env);
    opened.push(seen);
    return seen;
  };
  try {
    const { answers, seen } = await interview({ given, ask: prompt?.ask, tell, see });
    mustBeNew(path, force);
    await writeTarget(path, targetText(answers, seen.organizations), answers.principals);
    const unset = answers.principals.map(({ variable }) => variable).filter((variable) => (env[variable] ?? '') === '');
    const first = unset.length === 0 ? '' : `Set ${unset.join(', ')}, then: `;
    out.write(`${path} is written.\n${first}awc doctor ${path}\n`);
  } finally {
    for (const { close } of opened) close();
    prompt?.close();
  }
}
