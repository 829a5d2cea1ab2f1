/** Patterns of internal details, by kind. */
const patterns: readonly (readonly [kind: string, pattern: RegExp])[] = [
  // JavaScript, Java and .NET write frames as lines that begin with "at".
  ['a stack trace', /^\s*at \S.*(?::\d+:\d+\)?|\([\w$]+\.(?:java|kt|scala):\d+\)|\) in .+:line \d+)\s*$/m],
  ['a stack trace', /Traceback \(most recent call last\)|^\s*File ".+", line \d+/m],
  ['a stack trace', /\bgoroutine \d+ \[|\bpanic: runtime error|thread '.+' panicked at/],
  ['a stack trace', /\.rb:\d+:in [`']|\.php(?:\(\d+\)|:\d+| on line \d+)/],
  // A link to a document may end like this, too.
  ['a stack trace', /(?<!\bhttps?:\/\/\S{1,2000})\.(?:go|rs|py|ts|js|cs|java):\d+(?:\D|$)/],
  ['an exception of its platform', /\b(?:java|javax|org|com|System)\.(?:[A-Za-z]\w*\.)+[A-Z]\w*(?:Exception|Error)\b/],
  ['an exception of its platform', /\bSystem\.[A-Z]\w*Exception\b|\b(?:Type|Reference)Error: |\bPrisma\w*Error\b/],
  ['a file path', /(?:^|[\s"'`(=])\/(?:usr|home|var|opt|srv|root|etc|Users|private|mnt)\/[\w.-]+/m],
  ['a file path', /(?:^|[\s"'`(=])(?:\/[\w.@-]+)+\/[\w.@-]+\.(?:js|ts|mjs|cjs|py|rb|go|java|php|cs|rs)\b/m],
  ['a file path', /(?:^|[\s"'`(=])[A-Za-z]:\\(?:[\w .-]+\\)+[\w .-]+/m],
  ['SQL', /\bSELECT\b[^.!?]{1,400}?\bFROM\s+["`\w.]+/],
  ['SQL', /\b(?:INSERT INTO|DELETE FROM)\s+["`\w.]+|\bUPDATE\s+["`\w.]+\s+SET\s+["`\w.]+\s*=/],
  ['SQL', /\bselect\s[\w\s"'`*.,()]{1,200}\sfrom\s+["`\w.]+\s+(?:where|order by|group by|limit|join)\b/],
  [
    'an error of its database',
    /SQLSTATE|\bORA-\d{5}\b|\bSQLITE_[A-Z]+|syntax error at or near|near "[^"]*": syntax error/,
  ],
  [
    'an error of its database',
    /invalid input syntax for (?:type )?\w+|violates (?:unique|foreign key|not-null) constraint/,
  ],
  ['an error of its database', /\brelation "[^"]+" does not exist|\bcolumn "[^"]+" (?:does not exist|of relation)/],
];

/** Characters of a text that are looked at. */
const maxLength = 20_000;

type Found = { readonly kind: string; readonly part: string };

/** What the latest texts hold: refusals say the same few things again and again. */
const known = new Map<string, readonly Found[]>();
const knownMost = 200;

/**
 * What of its inside a text for callers shows, such as `SQL`; undefined where there is nothing. Text that the caller's own
 * request holds may be quoted, so it counts only where it is not a part of that.
 */
export function internalsIn(text: string, request = ''): string | undefined {
  return foundIn(text.slice(0, maxLength)).find(({ part }) => !request.includes(part))?.kind;
}

function foundIn(text: string): readonly Found[] {
  const before = known.get(text);
  if (before !== undefined) return before;
  const found = patterns.flatMap(([kind, pattern]) => {
    const part = pattern.exec(text)?.[0].trim();
    return part === undefined ? [] : [{ kind, part }];
  });
  if (known.size >= knownMost) known.clear();
  known.set(text, found);
  return found;
}
