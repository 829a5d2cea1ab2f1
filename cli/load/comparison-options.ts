import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { type Figure, figures } from '../../load/compare/render/figure.ts';
import { parseShare } from '../../load/profile/quantity.ts';

export const comparisonOptionsSchema = z.object({
  /** How much worse is still acceptable, as a share. */
  margin: z.number(),
  /** The figures that must be shown to be no worse. */
  require: z.array(z.enum(figures)),
});

export type ComparisonOptions = z.infer<typeof comparisonOptionsSchema>;

/** Adds the options of every command that compares builds. */
export function addComparisonOptions(command: Command): Command {
  const all = [...figures];
  return command
    .addOption(
      new Option('--margin <share>', 'how much worse than the baseline is still acceptable')
        .argParser(margin)
        .default(0.05, '5%'),
    )
    .addOption(
      new Option(
        '--require <figures>',
        'figures that must be shown to be no worse for a verdict; any figure that is worse always counts',
      )
        .argParser(figureList)
        .default(all, all.join(',')),
    );
}

function margin(text: string): number {
  const share = parseShare(text);
  if (share !== undefined && share > 0 && share <= 10) return share;
  throw new InvalidArgumentError('It must be a percentage above 0, such as 5%.');
}

function figureList(text: string): readonly Figure[] {
  const found = text.split(',').map((name) => figures.find((figure) => figure === name.trim()));
  const known = found.filter((figure) => figure !== undefined);
  if (known.length === found.length) return known;
  throw new InvalidArgumentError(`They are ${figures.join(', ')}, with commas between them.`);
}
