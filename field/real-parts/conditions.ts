import type { ways } from './ways.ts';

/** The commands that a condition is tried with, in the order of the columns of the table. */
const commandNames = ['suite', 'load', 'doctor', 'certify'] as const;

type Condition = {
  readonly condition: string;
  /** What the target file says about it, in Markdown. */
  readonly setting: string;
  readonly triedWith: string;
  /** The way that has this condition. */
  readonly way: keyof typeof ways;
  /** A merge patch of the target file, and variables, without which the way is closed: so the condition is really there. */
  readonly closedBy?: { readonly file?: unknown; readonly env?: Readonly<Record<string, string>> };
  /** What curl shows of an answer that came this way: so the condition is really there. */
  readonly shownBy?: RegExp;
  /** What the doctor and a load report say about it. */
  readonly noted?: RegExp;
};

const noCertificate = { tls: { cert: null, key: null } };

/** What lies between the suite and a deployment, and that it works with every command. The document has the same table. */
export const conditions: readonly Condition[] = [
  {
    condition: 'TLS, a private authority',
    setting: '`tls.ca`',
    triedWith: 'nginx',
    way: 'tunnel',
    closedBy: { file: { tls: { ca: null } } },
  },
  {
    condition: 'a client certificate',
    setting: '`tls.cert`, `tls.key`',
    triedWith: 'nginx',
    way: 'tunnel',
    closedBy: { file: noCertificate },
  },
  {
    condition: 'a header that the gateway wants',
    setting: '`headers`',
    triedWith: 'nginx',
    way: 'tunnel',
    closedBy: { file: { headers: null } },
  },
  {
    condition: 'a prefix of the path',
    setting: '`baseUrl`',
    triedWith: 'nginx',
    way: 'tunnel',
    closedBy: { env: { AWC_PREFIX: '/production' } },
  },
  {
    condition: 'compressed answers',
    setting: '',
    triedWith: 'nginx',
    way: 'tunnel',
    shownBy: /^content-encoding: gzip/im,
  },
  {
    condition: 'only HTTP/2',
    setting: '`http2: always`',
    triedWith: 'nginx',
    way: 'http2',
    closedBy: { file: { http2: null } },
    shownBy: /^HTTP\/2 200/,
    noted: /The server chose HTTP\/2\./,
  },
  {
    condition: 'HTTP/2 if the server offers it',
    setting: '`http2: auto`',
    triedWith: 'nginx',
    way: 'balancer',
    shownBy: /^HTTP\/2 200/m,
    noted: /The server chose HTTP\/2\./,
  },
  { condition: 'a balancer, nodes that restart', setting: '', triedWith: 'haproxy', way: 'balancer' },
  { condition: 'several nodes by URL', setting: '`baseUrls`', triedWith: 'two nodes', way: 'nodes' },
  {
    condition: 'a proxy with a password',
    setting: '`proxy`',
    triedWith: 'tinyproxy',
    way: 'tunnel',
    closedBy: { env: { AWC_PROXY_PASSWORD: 'another word' } },
    noted: /through the proxy http:\/\/127\.0\.0\.1:\d+ from the target file/,
  },
  {
    condition: 'a proxy of the environment',
    setting: '',
    triedWith: 'squid',
    way: 'nodes',
    closedBy: { file: { proxy: 'none' } },
    shownBy: /^via: .*squid/im,
    noted: /through the proxy http:\/\/127\.0\.0\.1:\d+ from HTTP_PROXY/,
  },
  {
    condition: 'keys that expire soon',
    setting: '`key.command`',
    triedWith: 'a shell script',
    way: 'nodes',
    closedBy: { env: { KEY_AGE: '100' } },
  },
];

/** The table of the conditions in Markdown, aligned as the formatter does. */
export function conditionTable(): readonly string[] {
  const head = ['condition', 'in the target file', 'tried with', ...commandNames];
  const body = conditions.map(({ condition, setting, triedWith }) => [
    condition,
    setting,
    triedWith,
    ...commandNames.map(() => 'works'),
  ]);
  const rows = [head, ...body];
  const widths = head.map((_, column) => Math.max(...rows.map((cells) => (cells[column] ?? '').length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)];
}
