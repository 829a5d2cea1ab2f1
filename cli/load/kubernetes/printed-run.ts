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
    'One load, divided over pods. Its Secret is not in this file. Create the Secret, then the objects:',
    `  (echo "${tokenVariable}=$(openssl rand -hex 32)"${fromEnvironment}) |`,
    `    kubectl create secret generic ${name} --from-env-file=/dev/stdin`,
    ...secretFileLines(run),
    `  kubectl label secret ${name} ${selectorOf(run)}`,
    '  kubectl create -f FILE',
    'The log of the coordinator is the report. Its last line is load.json:',
    `  kubectl logs --follow --pod-running-timeout=10m job/${coordinatorOf(run)}`,
    'Its exit code is the verdict:',
    `  kubectl get pods -l job-name=${coordinatorOf(run)} -o jsonpath='{.items[0].status.containerStatuses[0].state.terminated.exitCode}'`,
    'Delete everything before the next run:',
    `  kubectl delete ${deletable} -l ${selectorOf(run)}`,
  ];
  return lines.map((line) => `# ${line}\n`).join('');
}

/** The files are named from the folder of the target file. */
function secretFileLines(run: ClusterRun): readonly string[] {
  if (run.secretFiles.length === 0) return [];
  const name = secretFilesOf(run);
  const files = run.secretFiles.map((file, index) => `--from-file=${keyOf(file, index)}=${quoted(file.path)}`);
  return [
    `  kubectl create secret generic ${name} ${files.join(' ')}`,
    `  kubectl label secret ${name} ${selectorOf(run)}`,
  ];
}

function quoted(path: string): string {
  return `'${shown(posix.relative(targetFolder, path), 4096).replaceAll("'", `'\\''`)}'`;
}
