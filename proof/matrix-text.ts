import { faults } from '../reference/faults/faults.ts';
import { requirement } from '../spec/catalogue.ts';
import { suites } from '../suites/index.ts';
import type { KillRow } from './kill.ts';

const heading =
  '# fault > requirement it breaks | checks of it that catch it | checks that fall with it | broken under load | broken in recorded traffic';

/** The matrix as it is committed: a line a fault, so that a review shows what a change does to it. */
export function matrixText(rows: readonly KillRow[]): string {
  const lines = rows
    .toSorted((one, other) => (one.fault < other.fault ? -1 : 1))
    .map(({ fault, breaks, killers, fallen, seenBy }) =>
      [`${fault} > ${breaks}`, killers, fallen, seenBy?.load ?? [], seenBy?.traffic ?? []]
        .map((column) => (typeof column === 'string' ? column : column.join(' ')))
        .join(' | '),
    );
  return [heading, ...lines, ''].join('\n');
}

/** What the committed matrix says of a fault. */
export type KnownRow = Pick<KillRow, 'fault' | 'killers' | 'fallen'> & {
  /** A requirement of the catalogue, unless the matrix is older than a change of its name. */
  readonly breaks: string;
  readonly seenBy: Required<KillRow>['seenBy'];
};

/** Reads a matrix as `matrixText` writes it. */
export function readMatrix(text: string): readonly KnownRow[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [named = '', ...columns] = line.split('|').map((column) => column.trim());
      const [fault = '', breaks = ''] = named.split(' > ');
      const [killers = [], fallen = [], load = [], traffic = []] = columns.map((column) =>
        column.split(' ').filter(Boolean),
      );
      return { fault, breaks, killers, fallen, seenBy: { load, traffic } };
    });
}

/** The matrix for people: under each check, the faults that it guards against. */
export function matrixMarkdown(rows: readonly KillRow[]): string {
  const sentences = new Map(faults.map(({ name, sentence }) => [name, sentence]));
  const sections = suites.map(({ id, requirement: about }) => {
    const caught = rows.filter(({ killers }) => killers.includes(id));
    const list = caught.map(({ fault, breaks, seenBy }) => {
      const others = [
        ...(seenBy?.load.includes(breaks) ? ['load'] : []),
        ...(seenBy?.traffic.includes(breaks) ? ['recorded traffic'] : []),
      ];
      const also = others.length === 0 ? '' : ` (also detected by ${others.join(' and ')})`;
      return `- \`${fault}\`: ${sentences.get(fault) ?? ''}${also}`;
    });
    return [`### ${id}`, '', requirement(about).sentence, '', ...list].join('\n');
  });
  return [
    '# What guards what',
    '',
    'Under each check: the promise it tests, and the faults of the reference that it is shown to catch.',
    'Printed by `npm run awc -- proof --out proof`; the same matrix, a line a fault, is `proof/kill-matrix.txt`.',
    '',
    sections.join('\n\n'),
    '',
  ].join('\n');
}
