import { compare } from '../load/compare/compare.ts';
import type { FigureComparison } from '../load/compare/comparison.ts';
import { plainOptions } from '../testing/plain-options.ts';
import type { Round, Trial } from '../load/compare/trial.ts';
import { trialOfRecord } from '../load/compare/trial-of-record.ts';
import { parseProfile } from '../load/profile/profile-file.ts';
import { seededRandom } from '../reference/random.ts';
import { benchTarget } from './setup/bench-target.ts';
import { type Figure, figure, percent } from './setup/figure.ts';
import { startRawServer } from './setup/start-raw-server.ts';

/** The measured rounds, and how many of them each comparison draws: as many as a careful user would run. */
const measured = 24;
const drawn = 16;
const comparisons = 100;

const profile = parseProfile(
  `question: Is it as fast?
load: { open: { rate: 500 } }
duration: 3s
warmUp: 300ms
timeout: 5s
validate: 0%
operations: { listModels: { weight: 1, limits: [2] } }
`,
  'comparison.yaml',
  {},
);

/** One build twice and a slower one, one right after the other. */
type Measured = { readonly a: Trial; readonly again: Trial; readonly slower: Trial };

/**
 * How often a build is called different from itself, and a slower one worse, in interleaved runs on loopback. A hundred
 * comparisons would take hours to measure, so each draws its rounds from the measured ones.
 */
export async function comparison(): Promise<readonly Figure[]> {
  const rounds = await measureRounds();
  const { next, integer } = seededRandom(1, 'bench');
  const compared = (pair: (round: Measured) => Round) =>
    Array.from({ length: comparisons }, () => {
      const chosen = Array.from({ length: drawn }, () => rounds[integer(0, rounds.length - 1)]).flatMap((round) =>
        round === undefined ? [] : pair(round),
      );
      return compare({ kind: 'interleaved', rounds: chosen }, { margin: 0.05, random: next }).figures;
    });
  // Chance decides which of the two measurements of one build is A.
  const different = compared(({ a, again }) => (next() < 0.5 ? { a, b: again } : { a: again, b: a })).filter(
    (figures) => figures.some(({ verdict }) => verdict.kind === 'worse' || verdict.kind === 'better'),
  ).length;
  const planted = compared(({ a, slower }) => ({ a, b: slower }));
  const called = planted.filter((figures) => isWorse(figures, 'p50') && isWorse(figures, 'p95')).length;
  return [
    figure(`one build against itself, called different`, `${different} of ${comparisons}`, '≤ 5', different <= 5),
    figure(`15% at p50 and 20% at p95, both called worse`, `${called} of ${comparisons}`, '≥ 95', called >= 95),
    figure('  seen on average', `${mean(planted, 'p50')} at p50, ${mean(planted, 'p95')} at p95`),
  ];
}

async function measureRounds(): Promise<readonly Measured[]> {
  const usual = await startRawServer('usual');
  const slow = await startRawServer('slower');
  const rounds: Measured[] = [];
  for (let round = 0; round < measured; round += 1) {
    const trial = async (url: string) =>
      trialOfRecord(await profile.load.run(profile, { ...plainOptions(benchTarget(url)), seed: round }));
    const a = await trial(usual.url);
    const slower = await trial(slow.url);
    rounds.push({ a, slower, again: await trial(usual.url) });
  }
  await Promise.all([usual.close(), slow.close()]);
  return rounds;
}

function isWorse(figures: readonly FigureComparison[], name: FigureComparison['figure']): boolean {
  return figures.some(({ figure: of, verdict }) => of === name && verdict.kind === 'worse');
}

function mean(compared: readonly (readonly FigureComparison[])[], name: FigureComparison['figure']): string {
  const ratios = compared.flatMap((figures) =>
    figures.filter(({ figure: of }) => of === name).map(({ ratio }) => ratio),
  );
  return percent(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length - 1);
}
