import type { Command } from 'commander';
import { diffRecords } from '../../reports/diff.ts';
import { renderDiff } from '../../reports/diff-terminal.ts';
import { type Context, wantsColor } from '../context.ts';
import { readRecord } from '../read-record.ts';
import { UserError } from '../user-error.ts';

/** `awc diff A B`: two reports side by side. Exit 1 when B is worse anywhere. */
export function configureDiff(command: Command, context: Context): void {
  command
    .argument('<a>', 'a report.json')
    .argument('<b>', 'a later one, or that of another deployment')
    .action(async (first: string, second: string) => {
      const runs = [await readRecord(first), await readRecord(second)] as const;
      const diff = diffRecords(...runs);
      if (diff.same + diff.changes.length === 0) throw new UserError('the reports have no check in common.');
      context.out.write(renderDiff(diff, runs, { color: wantsColor(context.out) }));
      context.end(diff.changes.some(({ kind }) => kind === 'worse') ? 1 : 0);
    });
}
