import { readFile, stat } from 'node:fs/promises';
import type { Command } from '@commander-js/extra-typings';
import { shown } from '../../core/text.ts';
import { faults } from '../../reference/faults/faults.ts';
import { type Guards, renderAnnotated } from '../../reports/annotated/annotated-page.ts';
import { coverageOf, missingFrom } from '../../reports/annotated/coverage.ts';
import { blocksOf, sentencesOf } from '../../reports/annotated/split.ts';
import { suites } from '../../suites/index.ts';
import type { Context } from '../shared/context.ts';
import { someText } from '../shared/option-values.ts';
import { readRecord } from '../shared/read-record.ts';
import { UserError } from '../shared/user-error.ts';
import { writeWhole } from '../shared/write-whole.ts';

const maxBytes = 1024 * 1024;
const maxSentences = 5000;

/** `awc annotate SPEC.md`: the specification with what the suite has for each sentence. */
export function configure(command: Command, context: Context): void {
  command
    .argument('[spec]', 'the text of the specification, in Markdown')
    .option('--report <file>', 'colour each sentence by its verdict in this report.json')
    .option('--digests', 'print section, digest and text of every sentence, and what it is covered by')
    .option('--strict', 'exit with 1 if the text has sentences that are not covered, or lacks known ones')
    .requiredOption('--out <file>', 'the HTML page to write', someText)
    .action(async (path, { report, digests, strict, out }) => {
      const blocks = blocksOf(await readText(path));
      const sentences = sentencesOf(blocks);
      if (sentences.length > maxSentences) throw new UserError(`the text has more than ${maxSentences} sentences.`);
      const record = report === undefined ? undefined : await readRecord(report);
      await writeWhole(out, renderAnnotated({ blocks, guardsOf, record }));
      const unknown = sentences.filter((sentence) => coverageOf(sentence) === undefined);
      const missing = missingFrom(sentences);
      const lines = [
        ...(digests === true ? sentences : []).map((sentence) =>
          shown(
            `section ${sentence.section} ${sentence.digest}: ${sentence.text} [${coverageOf(sentence)?.join(', ') ?? ''}]`,
          ),
        ),
        ...unknown.map(({ line, section, digest, text }) =>
          shown(`not covered: line ${line}, section ${section} ${digest}: ${text}`),
        ),
        ...missing.map((key) => `not in the text: section ${key}`),
        `${sentences.length} sentences and table rows: ${unknown.length} not covered, ${missing.length} known ones not in the text.`,
      ];
      context.out.write(`${lines.join('\n')}\n`);
      context.end(strict === true && unknown.length + missing.length > 0 ? 1 : 0);
    });
}

async function readText(path: string | undefined): Promise<string> {
  if (path === undefined) {
    throw new UserError(
      'awc annotate needs the text of the specification, which is not part of the suite: name its Markdown file.',
    );
  }
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) throw new UserError(`${path}: there is no such file.`);
  if (found.size > maxBytes) throw new UserError(`${path} is larger than 1 MiB.`);
  return readFile(path, 'utf8');
}

function guardsOf(id: string): Guards {
  return {
    checks: suites.filter(({ requirement }) => requirement === id).map((check) => check.id),
    faults: faults.filter(({ breaks }) => breaks === id).map(({ name, sentence }) => `${name}: ${sentence}`),
  };
}
