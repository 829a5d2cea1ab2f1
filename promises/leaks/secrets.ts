import { pathText } from '../../schemas/path-text.ts';

/** A secret that a record gives away: where, and what makes it one. The secret itself is never shown. */
export type Secret = { readonly path: string; readonly why: string };

/** Values that are looked at in one record. */
const maxValues = 2000;

/** What people write about their data source: a password in it is their own doing. */
const ownWords: ReadonlySet<string> = new Set(['description', 'displayName']);

/** Names that end like this hold a secret: what comes after only says how it is written. */
const written = '(?:_?(?:value|text|plain|plaintext|encrypted|enc|hash|hashed|base64|b64|json|pem|data|\\d+))*$';
const secretName = new RegExp(`(?:password|passwd|pwd|passphrase|secret|token)${written}`);
const keyName = new RegExp(
  `(?:(?:private|secret|access|api|client|account|encryption|signing|shared|ssh|ssl|tls|auth)_?key|keytab|credentials?)${written}`,
);
const harmlessName = /(?:page|next|sync|cursor|continuation|change|resume|delta|csrf|etag)_?token$/;

/** A key is longer than a label, and is neither a path nor a name in a vault. */
const leastKey = 16;
/** The start of a key in DER, written in base64: even a cut one is no label. */
const derStart = /^MI[CEGHI][A-Za-z0-9+/]/;
const reference = /^(?:arn:|projects\/|vault:|env:|ssm:|kms:|https?:\/\/|\/|\.{1,2}\/|[A-Za-z]:\\)/;

/** Placeholders for a secret. */
const mask =
  /^(?:[*•●·.-]+|x{3,}|redacted|hidden|masked|omitted|removed|none|null|n\/?a|set|unset|not set|yes|no|true|false|[[<({]+[\w .-]*[\])}>]+)$/i;

/** Whatever could look like a secret has one of these in it: most values are done with after this. */
const suspicious = /:\/\/|=|-----BEGIN|eyJ|[A-Za-z]{2,}[_-][A-Za-z0-9]{16}|AIza|dapi|private_key/;

const looks: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/, 'a private key'],
  [/"private_key"\s*:/, 'a service account with its private key'],
  [/\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}/, 'a signed token'],
  [
    /\b(?:sk_live|rk_live|sk_test|ghp|gho|ghs|github_pat|glpat|xox[abprs]|shpat)[_-][A-Za-z0-9_-]{16,}/,
    'an access token',
  ],
  [/\b(?:AIza[\w-]{35}|dapi[0-9a-f]{32})\b/, 'an access key'],
];

const urlPassword = /[a-z][a-z0-9+.-]*:\/\/[^\s/?#:@"']*:([^\s/?#@"']+)@/gi;
/** In the name of a host alone: elsewhere it may be an address of another kind. */
const hostPassword = /^[^\s/:@]+:([^\s/@]+)@[\w.-]+(?::\d+)?$/g;
const pairPassword =
  /(?:^|[;?&,\s"'(])(?:password|passwd|pwd|passphrase|secret|client_?secret|access_?token|api_?key|(?:shared_?)?access_?key|account_?key)\s*=\s*("[^"]+"|'[^']+'|[^\s;&,"')]+)/gi;

/** The first secret in a record, by the name or by the look of a value; undefined when there is none. */
export function secretIn(record: unknown): Secret | undefined {
  const left: { readonly value: unknown; readonly path: readonly (string | number)[] }[] = [
    { value: record, path: [] },
  ];
  for (let count = 0; count < maxValues; count += 1) {
    const next = left.pop();
    if (next === undefined) return undefined;
    const { value, path } = next;
    const why = whyOf(path, value);
    if (why !== undefined) return { path: pathText(path), why };
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value).slice(0, maxValues)) {
      left.push({ value: inner, path: [...path, Array.isArray(value) ? Number(name) : name] });
    }
  }
  return undefined;
}

function whyOf(path: readonly (string | number)[], value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || mask.test(value)) return undefined;
  const name = path.findLast((step) => typeof step === 'string') ?? '';
  if (ownWords.has(name)) return undefined;
  const kind = kindOfName(name.slice(0, 100));
  if (kind === 'secret' && !reference.test(value)) return 'the name of a secret';
  const isKey = kind === 'key' && (value.length >= leastKey || derStart.test(value));
  if (isKey && !reference.test(value)) return 'the name of a key';
  const start = value.slice(0, 20_000);
  const isHost = /host(?:name)?$/i.test(name);
  if (!isHost && !suspicious.test(start)) return undefined;
  const look = looks.find(([pattern]) => pattern.test(start))?.[1];
  if (look !== undefined) return look;
  const inHost = isHost ? start.matchAll(hostPassword) : [];
  const passwords = [...start.matchAll(urlPassword), ...start.matchAll(pairPassword), ...inHost].map(
    ([, found = '']) => found,
  );
  return passwords.some((found) => !isMasked(found)) ? 'a password among its parts' : undefined;
}

function isMasked(password: string): boolean {
  return mask.test(password.replace(/^["']|["']$/g, '')) || /^%?[$%]?[{<]/.test(password);
}

const kinds = new Map<string, 'secret' | 'key' | 'other'>();

/** What a field of that name holds; remembered, because records have the same few names. */
function kindOfName(name: string): 'secret' | 'key' | 'other' {
  const known = kinds.get(name);
  if (known !== undefined) return known;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s.-]+/g, '_')
    .toLowerCase();
  const isSecret = secretName.test(words) && !harmlessName.test(words);
  const kind = isSecret ? 'secret' : keyName.test(words) ? 'key' : 'other';
  if (kinds.size < 1000) kinds.set(name, kind);
  return kind;
}
