import { quoted } from '../../core/curl.ts';
import { shown } from '../../core/text.ts';
import { capitalized } from './capitalized.ts';
import { earlierSentence } from './check-text.ts';
import type { RunRecord } from '../record/record.ts';

/** What the curl lines of some checks need: variables, files, a server; undefined if they need nothing. */
export function curlNote({ target }: RunRecord, checks: RunRecord['checks']): string | undefined {
  const lines = checks.flatMap(({ curl }) => curl ?? []);
  const subject = lines.length === 1 ? 'The curl line needs' : 'The curl lines need';
  const names = new Set(
    lines.flatMap((line) =>
      [...expanded(line).matchAll(/(?<!\\)\$\{?([A-Za-z_][A-Za-z0-9_]*)/g)].map(([, name = '']) => name),
    ),
  );
  const folder = lines.some((line) => / --(cacert|cert) /.test(line)) ? ['the folder of the target file'] : [];
  const variables = [...names].toSorted().map((name) => `$${name}`);
  const list = variables.length > 5 ? `${variables.slice(0, 5).join(', ')} and others` : variables.join(', ');
  if (target.embedded !== undefined) {
    const taken = ['the address', ...(list === '' ? [] : [list])].join(' and ');
    return lines.length === 0
      ? undefined
      : `${subject} a server: start ${serveCommand(target.embedded)}, and take ${taken} from the target file that it writes.`;
  }
  if (names.size === 0) return folder.length === 0 ? undefined : `${subject} ${folder.join()}.`;
  const needs = [list, ...folder].join(' and ');
  return `${subject} ${needs}. If the target file contains a key itself or a command that prints it, set its variable first: export ${[...names].toSorted()[0]}='the key'`;
}

/** What the curl line of one check needs, and what comes before it. */
export function checkNote(record: RunRecord, check: RunRecord['checks'][number]): string | undefined {
  const earlier = earlierSentence(check);
  const parts = [earlier && `${capitalized(earlier)}.`, curlNote(record, [check])];
  const text = parts.filter((part) => part !== undefined).join(' ');
  return text === '' ? undefined : text;
}

/** Starts a server that answers as the reference did. */
function serveCommand({ faults, choices }: NonNullable<RunRecord['target']['embedded']>): string {
  const flags = [
    ...faults.map((fault) => ['--fault', fault] as const),
    ...Object.entries(choices).map(([axis, value]) => ['--choice', `${axis}=${value}`] as const),
  ];
  return ['awc serve', ...flags.map(([flag, value]) => `${flag} ${quoted(shown(value, 120))}`)].join(' ');
}

/** A line without its words in single quotes, in which a shell expands nothing. */
function expanded(line: string): string {
  return line.replace(/\\.|"(?:[^"\\]|\\.)*"|\$'(?:[^'\\]|\\.)*'|'[^']*'/g, (part) => (/^\$?'/.test(part) ? '' : part));
}
