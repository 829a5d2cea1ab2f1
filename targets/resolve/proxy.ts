import { addressOf } from '../../core/network/address.ts';
import type { ProxySettings, Route, Secret } from '../../core/target.ts';
import { entryPointsOf } from '../entry-points.ts';
import type { Environment } from '../interpolate.ts';
import { isLoopback } from '../is-loopback.ts';
import { at, type PartProblem } from '../schema-problems.ts';
import { leastSecret } from './header-sense.ts';
import type { TargetFile } from '../target-schema.ts';

export type ResolvedProxy = Pick<Route, 'proxyFor'> & {
  readonly secrets: readonly Secret[];
  readonly problems: readonly PartProblem[];
};

const variables = { http: ['http_proxy', 'HTTP_PROXY'], https: ['https_proxy', 'HTTPS_PROXY'] } as const;

/**
 * The proxy of a target file: `proxy`, or else HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY names the host. A proxy of the
 * environment is never in the way to this machine. One that no entry point uses is not checked, but its password is secret.
 */
export function resolveProxy(
  file: Pick<TargetFile, 'proxy' | 'baseUrl' | 'baseUrls'>,
  environment: Environment,
): ResolvedProxy {
  const { proxy } = file;
  if (proxy === 'none') return { secrets: [], problems: [] };
  if (proxy !== undefined) {
    const problem = problemWith(proxy);
    if (problem !== undefined) return { secrets: [], problems: [at(['proxy'], problem)] };
    const settings = { url: proxy, from: 'the target file' };
    return { proxyFor: () => settings, secrets: secretsIn(settings), problems: [] };
  }
  const found = Object.values(variables).flatMap((names) => inEnvironment(names, environment) ?? []);
  if (found.length === 0) return { secrets: [], problems: [] };
  const noProxy = environment['no_proxy'] ?? environment['NO_PROXY'] ?? '';
  const proxyFor = (baseUrl: string): ProxySettings | undefined => {
    if (isLoopback(baseUrl) || isExcepted(baseUrl, noProxy)) return undefined;
    return inEnvironment(variables[addressOf(baseUrl).isTls ? 'https' : 'http'], environment);
  };
  const used = entryPointsOf(file).flatMap((url) => (URL.canParse(url) ? (proxyFor(url) ?? []) : []));
  return { proxyFor, secrets: found.flatMap(secretsIn), problems: variableProblems(used) };
}

function variableProblems(used: readonly ProxySettings[]): readonly PartProblem[] {
  const urls = new Map(used.map(({ from, url }) => [from, url]));
  return [...urls].flatMap(([from, url]) => {
    const problem = problemWith(url);
    return problem === undefined ? [] : [{ path: [], part: 'value', message: `the variable ${from} ${problem}` }];
  });
}

function inEnvironment(names: readonly string[], environment: Environment): ProxySettings | undefined {
  const from = names.find((name) => (environment[name] ?? '') !== '');
  const value = from === undefined ? '' : (environment[from] ?? '');
  return from === undefined ? undefined : { url: /^[a-z\d+.-]+:\/\//i.test(value) ? value : `http://${value}`, from };
}

/** Does not repeat the URL, which may contain a password. */
function problemWith(text: string): string | undefined {
  const url = URL.parse(text);
  const isProxy =
    url !== null && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && url.search === '';
  if (isProxy && url.hash === '' && isDecodable(url.username + url.password)) return undefined;
  return 'is not the URL of an HTTP proxy; write http://host:port or http://user:password@host:port, percent-encoded';
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** The password, alone and as it is sent. A short one alone would be found in other words. */
function secretsIn({ url }: ProxySettings): readonly Secret[] {
  const { username, password } = URL.parse(url) ?? { username: '', password: '' };
  if (password === '' || !isDecodable(username + password)) return [];
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  return [`${user}:${pass}`, pass]
    .filter((key) => key.length >= leastSecret)
    .map((key) => ({ key, variable: '$AWC_PROXY_PASSWORD' }));
}

/** Whether NO_PROXY names the host: hosts and domains, separated by commas or spaces, each with an optional port; `*` is every host. */
function isExcepted(baseUrl: string, noProxy: string): boolean {
  const { host: written, port } = addressOf(baseUrl);
  const host = written.replace(/\.$/, '');
  return noProxy
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, bracketed, plain = entry, onlyPort] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
      if (onlyPort !== undefined && Number(onlyPort) !== port) return false;
      const name = bracketed ?? plain;
      if (name === '*') return true;
      const domain = name.replace(/^\*?\./, '');
      return (host === domain && !name.startsWith('*.')) || host.endsWith(`.${domain}`);
    });
}
