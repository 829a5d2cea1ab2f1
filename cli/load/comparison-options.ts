import { type Command, InvalidArgumentError, Option, type OptionValues } from '@commander-js/extra-typings';
import { type Figure, figures } from '../../load/compare/render/figure.ts';
import { parseShare } from '../../load/profile/quantity.ts';

export type ComparisonOptions = {
  /** How much worse is still acceptable, as a share. */
  readonly margin: number;
  /** The figures that must be shown to be no worse. */
  readonly require: readonly Figure[];
};

/** Adds the options of every command that compares builds. */
export function addComparisonOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
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
        .default(figures, figures.join(',')),
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
