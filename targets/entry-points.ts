import { at, type PartProblem } from './schema-problems.ts';
import type { TargetFile } from './target-schema.ts';

/** More entry points would each see too few requests. */
const maxEntryPoints = 16;

/** The base URLs of all entry points: `baseUrl`, then those of `baseUrls`. */
export function entryPointsOf({ baseUrl, baseUrls = [] }: Pick<TargetFile, 'baseUrl' | 'baseUrls'>): readonly string[] {
  return [...new Set([...(baseUrl === undefined ? [] : [baseUrl]), ...baseUrls])];
}

/** What is wrong with the base URLs of a target file. */
export function entryPointProblems(file: TargetFile): readonly PartProblem[] {
  const { baseUrl, baseUrls } = file;
  const count = entryPointsOf(file).length;
  return [
    ...(count === 0
      ? [
          at(
            ['baseUrl'],
            'is missing; write baseUrl: https://host, or baseUrls: [https://host-1, https://host-2]',
            'key',
          ),
        ]
      : []),
    ...(count > maxEntryPoints
      ? [at(['baseUrls'], `names ${count} entry points; name at most ${maxEntryPoints}`)]
      : []),
    ...(baseUrl === undefined ? [] : problemsOf(baseUrl)).map((message) => at(['baseUrl'], message)),
    ...(baseUrls ?? []).flatMap((url, index) => [
      ...problemsOf(url).map((message) => at(['baseUrls', index], message)),
      ...(baseUrls?.indexOf(url) === index
        ? []
        : [at(['baseUrls', index], 'is named twice; name each entry point once')]),
    ]),
  ];
}

/** Messages do not repeat the URL, which may contain a password. */
function problemsOf(baseUrl: string): readonly string[] {
  const url = /[\s\p{C}]/u.test(baseUrl) ? null : URL.parse(baseUrl);
  if (url === null) return ['is not a URL; write https://host or https://host/path'];
  if (!['http:', 'https:'].includes(url.protocol)) return ['is not an HTTP URL; begin it with http:// or https://'];
  const problems: string[] = [];
  if (url.username !== '' || url.password !== '') {
    problems.push('contains a user name or password; remove it and put keys under principals');
  }
  if (/[?#]/.test(baseUrl)) problems.push('contains a query or a fragment; end it with the host or a path');
  return problems;
}
