import type { Command } from 'commander';
import { z } from 'zod';
import type { Context } from '../shared/context.ts';

const optionsSchema = z.object({
  baseUrl: z.string().optional(),
  idempotencyHeader: z.string().optional(),
  strict: z.boolean().default(false),
  waivers: z.string().optional(),
  out: z.string().optional(),
});

/** `awc check-traffic FILE.har`: recorded traffic judged, to a report and an exit code; nothing is sent. */
export function configureCheckTraffic(command: Command, context: Context): void {
  command
    .argument('<har>', 'a recording: HAR 1.2, of a browser, a proxy or awc report')
    .option('--base-url <url>', 'where the API is, when requests to several are recorded')
    .option('--idempotency-header <name>', 'the name of that header, to judge what depends on it')
    .option('--strict', 'count a violated should as failed')
    .option('--waivers <file>', 'known violations, each with its reason and its last day: they do not fail')
    .option('--out <dir>', 'write report.json and junit.xml there')
    .action(async (path: string) => {
      const options = optionsSchema.parse(command.opts());
      const { checkTraffic } = await import('../check-traffic.ts'); // the suites take a while
      context.end(await checkTraffic(path, options, context));
    });
}
