/** The README with what its first command writes now, and the number of faults. Lines that differ only in a duration stay. */
export function withNumbers(readme: string, written: string, faultCount: number): string {
  const [table, finding] = [/^ {2}area .*?^ {2}all .*?$/ms, /^FAILED .*?^ {2}exchange .*?$/ms].map(
    (part) => part.exec(written)?.[0],
  );
  const [last = ''] = written.trimEnd().split('\n').slice(-1);
  const [, passed, failed] = /^ {2}all +\d+ +(\d+) +(\d+)/m.exec(table ?? '') ?? [];
  if (table === undefined || finding === undefined || passed === undefined || failed === undefined) {
    throw new Error('awc run wrote no table of areas, or no finding');
  }
  const lines = [...table.split('\n'), '', ...finding.split('\n'), '…', last];
  const places: readonly (readonly [RegExp, (old: string) => string])[] = [
    [/(?<=^```text output\n).*?(?=\n```$)/ms, (old) => keepDurations(lines, old.split('\n')).join('\n')],
    [/\d+ checks passed and \d+ failed/, () => `${passed} checks passed and ${failed} failed`],
    [/\d+(?= faults that `npm run proof` tries)/, () => String(faultCount)],
  ];
  return places.reduce((text, [place, anew]) => replaceOnce(text, place, anew), readme);
}

function replaceOnce(text: string, place: RegExp, anew: (old: string) => string): string {
  if (!place.test(text)) throw new Error(`README.md has no text like ${place.source}`);
  return text.replace(place, anew);
}

function keepDurations(lines: readonly string[], old: readonly string[]): readonly string[] {
  const plain = (line: string) => line.replaceAll(/\b[\d.]+ m?s\b/g, '# s');
  return lines.map((line) => old.find((one) => plain(one) === plain(line)) ?? line);
}
