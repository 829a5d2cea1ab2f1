import { z } from 'zod';
import { some } from '../../../reports/text/figures.ts';
import { TargetFileError } from '../../../targets/target-file-error.ts';
import { parseTargetYaml } from '../../../targets/target-yaml.ts';

/** Rows of a data file, by the names of the columns. */
export type Rows = readonly Readonly<Record<string, string>>[];

export const maxRows = 10_000;
const maxColumns = 50;
const columnName = /^[A-Za-z]\w{0,39}$/;
const nameForm = 'must begin with a letter and hold up to 40 letters, digits and underscores';

/** The rows of a CSV file with a header, or of a JSON file with a list of objects. Throws TargetFileError with the line of each mistake. */
export function parseRows(text: string, file: string): Rows {
  return file.toLowerCase().endsWith('.json') ? jsonRows(text, file) : csvRows(text, file);
}

const valueSchema = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const jsonSchema = z
  .array(z.record(z.string().regex(columnName), valueSchema))
  .min(1)
  .max(maxRows);

/** JSON is YAML, whose parser knows the line of each value; variables of the environment are not read here. */
function jsonRows(text: string, file: string): Rows {
  const { problems, placeOf } = parseTargetYaml(
    text.replaceAll('${', () => '$${'),
    {},
  );
  if (problems.length > 0) throw new TargetFileError(file, problems);
  const parsed = jsonSchema.safeParse(jsonOf(text, file));
  const found = parsed.success ? sameColumns(parsed.data) : parsed.error.issues.map(({ path }) => path);
  if (parsed.success && found.length === 0) return parsed.data;
  const message = `must be a list of 1 to ${maxRows} objects with the same names, which hold text, numbers, true or false; a name ${nameForm}`;
  throw new TargetFileError(
    file,
    found.map((path) => ({ message, at: placeOf(path, 'value') })),
  );
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, line = 1, column = 1] = /line (\d+) column (\d+)/.exec(String(error)) ?? [];
    const at = { line: Number(line), column: Number(column) };
    throw new TargetFileError(file, [{ message: 'the file is not JSON here', at }]);
  }
}

/** The paths of rows with other columns than the first. */
function sameColumns(rows: Rows): readonly (readonly PropertyKey[])[] {
  const namesOf = (row: Rows[number] | undefined) => JSON.stringify(Object.keys(row ?? {}).toSorted());
  return rows.flatMap((row, index) => (namesOf(row) === namesOf(rows[0]) ? [] : [[index]]));
}

/** RFC 4180: fields are separated by commas, and one in quotes may hold commas, line feeds and doubled quotes. */
function csvRows(text: string, file: string): Rows {
  const fail = (line: number, message: string): never => {
    throw new TargetFileError(file, [{ message, at: { line, column: 1 } }]);
  };
  const [header, ...records] = csvRecords(text.replace(/^\u{feff}/u, ''), fail);
  if (header === undefined || records.length === 0) return fail(1, 'the file needs a line of names and a row below it');
  const names = header.fields;
  if (names.length > maxColumns) fail(1, `there are ${names.length} columns; ${maxColumns} are the most`);
  const extra = records[maxRows];
  if (extra !== undefined) fail(extra.line, `there are ${records.length} rows; ${maxRows} are the most`);
  for (const [place, name] of names.entries()) {
    if (!columnName.test(name)) fail(1, `the name of column ${place + 1} ${nameForm}`);
    if (names.indexOf(name) < place) fail(1, `the name of column ${place + 1} appears twice`);
  }
  return records.map(({ line, fields }) => {
    if (fields.length !== names.length)
      fail(line, `this row has ${some(fields.length, 'field')}, but the header names ${names.length}`);
    return Object.fromEntries(names.map((name, place) => [name, fields[place] ?? '']));
  });
}

type CsvRecord = { readonly line: number; readonly fields: string[] };

const csvField = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;

function csvRecords(text: string, fail: (line: number, message: string) => never): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let line = 1;
  let record: CsvRecord = { line, fields: [] };
  for (let at = 0; at < text.length || record.fields.length > 0;) {
    csvField.lastIndex = at;
    const [whole, quoted, plain = '', separator = ''] = csvField.exec(text) ?? [];
    if (whole === undefined) return fail(line, 'a quote is not closed, or stands within a field without quotes');
    record.fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += whole.split('\n').length - 1;
    at += whole.length;
    if (separator === ',') continue;
    const isEmpty = record.fields.length === 1 && whole.trim() === '';
    if (!isEmpty) records.push(record);
    record = { line, fields: [] };
  }
  return records;
}
