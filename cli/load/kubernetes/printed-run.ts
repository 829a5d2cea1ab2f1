import { posix } from 'node:path';
import { stringify } from 'yaml';
import { shown } from '../../../core/text.ts';
import { type ClusterRun, targetFolder } from './cluster-run.ts';
import {
  coordinatorJob,
  coordinatorOf,
  deletable,
  keyOf,
  partsJob,
  secretFilesOf,
  selectorOf,
  settings,
  tokenVariable,
} from './objects.ts';

/**
 * The objects of a run as YAML, for kubectl by hand. In place of the Secret it has a comment that says how to create it
 * from the environment.
 */
export function printedRun(run: ClusterRun): string {
  const objects = [...settings(run), coordinatorJob(run), partsJob(run)];
  const documents = objects.map((object) =>
    stringify(object, { lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false }),
  );
  return [instructions(run), ...documents].join('---\n');
}

function instructions(run: ClusterRun): string {
  const { name } = run;
  const variables = Object.keys(run.variables).toSorted();
  const fromEnvironment = variables.length === 0 ? '' : `; env | grep -E '^(${variables.join('|')})='`;
  const lines = [
    'One load, divided over pods. Its Secret is not in this file. Create it from the environment, then the rest:',
    ...(run.unset.length === 0 ? [] : [`These variables were not set; set them first: ${run.unset.join(', ')}`]),
    `  (echo "${tokenVariable}=$(openssl rand -hex 32)"${fromEnvironment}) |`,
    ...secretLines(run, name, '--from-env-file=/dev/stdin'),
    ...secretFileLines(run),
    '  kubectl create -f run.yaml',
    'The log of the coordinator is the report, and the last line of it is load.json:',
    `  for second in $(seq 600); do kubectl logs --follow job/${coordinatorOf(run)} && break; sleep 1; done`,
    `  kubectl logs job/${coordinatorOf(run)} | tail -n 1 > load.json`,
    'The exit code of the coordinator is the verdict:',
    `  kubectl get pods -l job-name=${coordinatorOf(run)} -o jsonpath='{.items[0].status.containerStatuses[0].state.terminated.exitCode}'`,
    'Delete everything before the next run:',
    `  kubectl delete ${deletable} -l ${selectorOf(run)}`,
  ];
  return lines.map((line) => `# ${line}\n`).join('');
}

/** The paths of the files are relative to the folder of the target file. */
function secretFileLines(run: ClusterRun): readonly string[] {
  if (run.secretFiles.length === 0) return [];
  const files = run.secretFiles.map((file, index) => `--from-file=${keyOf(file, index)}=${quoted(file.path)}`);
  return secretLines(run, secretFilesOf(run), files.join(' '));
}

/** Creates a Secret whose values are in no argument, with the label of the run. */
function secretLines(run: ClusterRun, name: string, from: string): readonly string[] {
  return [
    `  kubectl create secret generic ${name} ${from} --dry-run=client -o yaml |`,
    `  kubectl label --local -f - -o yaml ${selectorOf(run)} | kubectl create -f -`,
  ];
}

function quoted(path: string): string {
  return `'${shown(posix.relative(targetFolder, path), 4096).replaceAll("'", `'\\''`)}'`;
}
