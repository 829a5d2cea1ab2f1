import type { BuildComparison } from '../compare-records.ts';
import type { Figure } from './figure.ts';
import { renderComparison } from './render-comparison.ts';
import { some } from '../../../reports/text/figures.ts';
import { listed } from '../../../reports/text/some-of.ts';
import { percent } from './words.ts';

type Asked = { readonly margin: number; readonly required: readonly Figure[] };

/** The comparison of two sets of runs as lines for a terminal; the verdict comes last. */
export function renderBuilds(compared: BuildComparison, asked: Asked): readonly string[] {
  const { comparison, worse, notes } = compared;
  const head = comparison === undefined ? ['There are no usable runs of both builds.'] : renderComparison(comparison);
  return [...head, ...worse, ...notes.map((note) => `! ${note}`), '', conclusion(compared, asked)];
}

/** The verdict in a sentence. */
export function conclusion(
  { comparison, worse, unserved, verdict }: BuildComparison,
  { margin, required }: Asked,
): string {
  const figures = comparison?.figures ?? [];
  const named = (kind: string, among: readonly Figure[]) =>
    figures.filter((one) => one.verdict.kind === kind && among.includes(one.figure)).map(({ figure }) => figure);
  switch (verdict) {
    case 'worse': {
      const slower = named(
        'worse',
        figures.map(({ figure }) => figure),
      );
      const why = [...slower, ...(worse.length > 0 ? [`${some(worse.length, 'reason')} other than speed`] : [])];
      return `B is worse than A: ${why.join(', ')}.`;
    }
    case 'cannot-tell': {
      const open = named('cannot-tell', required);
      const why = [
        ...(unserved.length > 0 ? [`no request of ${listed([...unserved])} succeeded`] : []),
        ...(open.length > 0 ? [`cannot tell from ${open.join(', ')}`] : []),
      ];
      const from = why.length === 0 ? 'there are no usable runs of both builds' : why.join('; ');
      return `No verdict on whether B is worse than A by more than ${percent(margin)}: ${from}.`;
    }
    case 'no-worse': {
      const keptUp = named('kept-up', required);
      const compared = required.filter((figure) => !keptUp.includes(figure)).join(', ');
      const parts = [...(compared === '' ? [] : [compared]), ...(keptUp.length > 0 ? ['both kept up'] : [])];
      return `B is no worse than A by more than ${percent(margin)}: ${parts.join('; ')}.`;
    }
  }
}
