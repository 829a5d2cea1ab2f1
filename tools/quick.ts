import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { matchesGlob } from 'node:path';
import { doJobs } from '../proof/do-jobs.ts';
import type { Job } from '../proof/jobs.ts';
import { runTrial } from '../proof/trial.ts';
import { faults } from '../reference/faults/faults.ts';
import { suites } from '../suites/index.ts';
import { loads, slow } from '../vitest.config.ts';
import { type Imports, importsOf, suitesReached, testsNear, toRenew } from './near-changes.ts';
import { printEnd, runCommand } from './run-command.ts';

/**
 * `npm run quick [-- COMMIT]`: types, the lint of what changed, format, and of the tests those that are near to what changed since a commit;
 * without one, since the last, or in the last where nothing changed since. Where checks or faults changed, the checks are
 * tried on the reference, and on the faults that they have to catch. What only slower commands renew or test is named at the end.
 */

/** Faults are tried at a rate of about thirty a second: so many are tried, spread over all that the change reaches. */
const mostFaults = 120;

function git(...args: readonly string[]): readonly string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

/** The files that differ from a commit and are there, tracked or not. */
function changedSince(commit: string): readonly string[] {
  const untracked = git('ls-files', '--others', '--exclude-standard');
  return [...git('diff', '--name-only', '--diff-filter=d', '--merge-base', commit), ...untracked];
}

function readImports(): Imports {
  const paths = git('ls-files', '--cached', '--others', '--exclude-standard', '*.ts');
  const deleted = git('ls-files', '--deleted', '*.ts');
  const present = paths.filter((path) => !deleted.includes(path));
  return new Map(present.map((path) => [path, importsOf(path, readFileSync(path, 'utf8'))]));
}

/** What the modules export of a kind, alone or in lists. */
async function exportedFrom<Known>(paths: readonly string[], known: readonly Known[]): Promise<readonly Known[]> {
  const modules = await Promise.all(paths.map((path) => import(new URL(`../${path}`, import.meta.url).href)));
  const exported = new Set(modules.flatMap((one) => Object.values(one)).flat());
  return known.filter((one) => exported.has(one));
}

/** Whether the name of a fault is in the lines that the change adds. */
function isNew(name: string): boolean {
  return addedFaults.some((line) => line.includes(`'${name}'`));
}

/** Tries the checks that changed on the reference, and on the faults that break what they check; and faults that changed. */
async function tryChecks(changed: readonly string[], imports: Imports): Promise<boolean> {
  const startedAt = performance.now();
  const modules = suitesReached(changed, imports).filter((path) => !/^suites\/(run\/|[^/]+$)/.test(path));
  const changedFaults = changed.filter((path) => /^reference\/faults\/.*(?<!\.test)\.ts$/.test(path));
  const wanted = new Set((await exportedFrom(modules, suites)).map(({ requirement }) => requirement));
  const own = new Set(await exportedFrom(changedFaults, faults));
  const reached = faults.filter((fault) => wanted.has(fault.breaks) || own.has(fault));
  if (reached.length === 0) return true;
  const isChosen = (index: number) => index % Math.ceil(reached.length / mostFaults) === 0;
  const chosen = reached.filter((fault, index) => isNew(fault.name) || isChosen(index));
  const jobs = chosen.map(({ name }): Job => ({ kind: 'kill', fault: name, seed: 1, against: 'its own checks' }));
  const results = await doJobs(jobs, availableParallelism());
  const survivors = results.flatMap((one) => (one.kind === 'kill' && one.row.killers.length === 0 ? [one.row] : []));
  const accusations = await runTrial(
    { seed: 1, faults: [], choices: {} },
    { checks: suites.filter(({ requirement }) => wanted.has(requirement)) },
  );
  const hasCheck = new Set(suites.map(({ requirement }): string => requirement));
  const lines = [
    ...survivors.map(({ fault, breaks, instead }) =>
      hasCheck.has(breaks)
        ? `fault ${fault} survives ${breaks} ${instead.join('; ')}`.trimEnd()
        : `no check of ${breaks}: add one in suites/<area>/`,
    ),
    ...accusations.map(({ check, kind, text }) => `on the reference itself ${check} is ${kind}: ${text}`),
    ...(accusations.length > 0 ? ['if the reference is wrong, its rules are in reference/rules/'] : []),
  ];
  const name = `checks of ${wanted.size} requirements on the reference, and ${chosen.length} of ${reached.length} faults that they have to catch`;
  const output = [...new Set(lines)].map((line) => `${line}\n`).join('');
  printEnd(name, lines.length === 0, performance.now() - startedAt, output);
  for (const one of results) {
    if (one.kind !== 'kill' || one.row.killers.length === 0 || !isNew(one.row.fault)) continue;
    process.stdout.write(`        new fault ${one.row.fault}: caught by ${one.row.killers.join(', ')}\n`);
  }
  return lines.length === 0;
}

async function checkFormat(files: readonly string[]): Promise<boolean> {
  const passed = await runCommand('format', 'oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...files]);
  if (!passed) process.stdout.write('npm run format formats them.\n');
  return passed;
}

const base = process.argv[2];
const sinceHead = changedSince(base ?? 'HEAD');
const isLastCommit = base === undefined && sinceHead.length === 0;
const since = base ?? (isLastCommit ? 'HEAD~1' : 'HEAD');
const changed = isLastCommit ? changedSince(since) : sinceHead;
const addedFaults = git('diff', since, '--', 'reference/faults').filter((line) => line.startsWith('+'));
const [start = since] = git('merge-base', since, 'HEAD');
const [commit = start] = git('log', '-1', '--format=%h (%s)', start);
const files = `${changed.length} changed ${changed.length === 1 ? 'file' : 'files'}`;
const why = isLastCommit ? '; nothing changed since the last commit, so that commit is checked' : '';
process.stdout.write(`${files} since ${commit}${why}\n`);
const imports = readImports();
/** Tests that read files which they do not import, or reach them through the catalogue. */
const besides: Readonly<Record<string, readonly string[]>> = {
  'spec/requirements/': ['reports/annotated/annotated-page.test.ts', 'spec/derivations.test.ts'],
  'profiles/': ['load/profile/profile-reference.test.ts', 'load/kinds/shipped-profiles.test.ts'],
  'docs/load-': ['load/profile/profile-reference.test.ts'],
  'README.md': ['tools/readme-numbers.test.ts'],
  'promises/': ['traffic/judge-traffic.test.ts'],
  'traffic/rules/': ['traffic/judge-traffic.test.ts'],
};
const reading = Object.entries(besides).flatMap(([start, tests]) =>
  changed.some((path) => path.startsWith(start)) ? tests : [],
);
const near = [...new Set([...testsNear(changed, imports), ...reading])].filter(
  (path) => !/^(proof\/(sample|kill-matrix)|field\/)/.test(path),
);
const slowTests = near.filter((path) => [...slow, ...loads].some((pattern) => matchesGlob(path, pattern)));
const tests = near.filter((path) => !slowTests.includes(path));
// The lint of all files takes longer than everything else; npm test does that.
const linted = changed.filter((path) => /\.(ts|mjs)$/.test(path));
const formatted = changed.filter((path) => /\.(ts|md|json|ya?ml|mjs)$/.test(path));
const steps = [
  runCommand('types', 'npm', ['run', '--silent', 'types']),
  ...(linted.length > 0 ? [runCommand('lint of what changed', 'oxlint', ['--type-aware', ...linted])] : []),
  runCommand('unused code', 'knip', []),
  ...(formatted.length > 0 ? [checkFormat(formatted)] : []),
  ...(tests.length > 0
    ? [runCommand(`${tests.length} test files`, 'vitest', ['run', '--project', 'unit', '--passWithNoTests', ...tests])]
    : []),
  tryChecks(changed, imports),
];
process.exitCode = (await Promise.all(steps)).every(Boolean) ? 0 : 1;
if (slowTests.length > 0)
  process.stdout.write(`not run, slow: npx vitest run --project slow --project loads ${slowTests.join(' ')}\n`);
const outdated = toRenew(changed);
if (outdated.length > 0) process.stdout.write(`not checked, perhaps to renew: ${outdated.join('; ')}\n`);
