import type { Principal, Secret, Target } from '../../core/target.ts';
import { freeVariable } from './free-variable.ts';
import { leastSecret } from './header-sense.ts';
import type { TargetFile } from '../target-schema.ts';
import type { Path, ReadIn } from '../target-yaml.ts';

type Headers = NonNullable<TargetFile['headers']>;

/** Gives each principal the headers of its requests, and finds what is secret in them. */
export function resolveHeaders(
  file: Pick<TargetFile, 'headers' | 'principals' | 'tls'>,
  principals: readonly Principal[],
  others: readonly Secret[],
  { readIn }: { readonly readIn: ReadIn },
): Pick<Target, 'principals' | 'secrets'> {
  const secrets: Secret[] = [];

  function learn(found: Secret): void {
    const known = [...principals, ...secrets];
    if (known.some(({ key }) => key === found.key)) return;
    secrets.push({ ...found, variable: freeVariable(found.variable.slice(1), known) });
  }

  function learnFrom(headers: Headers, path: Path): void {
    for (const [name, value] of Object.entries(headers)) {
      const read = readIn([...path, name]);
      for (const secret of read ?? []) learn(secret);
      if (read === undefined && value.length >= leastSecret) learn({ key: value, variable: variableFor(name) });
    }
  }

  for (const secret of others) learn(secret);
  const { passphrase = '' } = file.tls ?? {};
  if (passphrase.length >= leastSecret) learn({ key: passphrase, variable: '$AWC_TLS_PASSPHRASE' });
  const common = file.headers ?? {};
  learnFrom(common, ['headers']);
  const complete = principals.map((principal): Principal => {
    const own = file.principals[principal.name]?.headers ?? {};
    learnFrom(own, ['principals', principal.name, 'headers']);
    const headers = { ...sent(common), ...sent(own) };
    return Object.keys(headers).length === 0 ? principal : { ...principal, headers };
  });
  return { principals: complete, ...(secrets.length === 0 ? {} : { secrets }) };
}

/** A note for each header that is left out. */
export function emptyHeaders(file: TargetFile): readonly string[] {
  const maps = [file.headers, ...Object.values(file.principals).map(({ headers }) => headers)];
  const names = maps.flatMap((headers = {}) => Object.keys(headers).filter((name) => headers[name] === ''));
  return [...new Set(names)].map((name) => `Header ${name} is left out because its value is empty.`);
}

/** The headers that are not empty, by their names in lower case. */
function sent(headers: Headers): Headers {
  const filled = Object.entries(headers).filter(([, value]) => value !== '');
  return Object.fromEntries(filled.map(([name, value]) => [name.toLowerCase(), value]));
}

function variableFor(header: string): string {
  return `$AWC_HEADER_${header.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
}
