/** The OpenAPI document in the hands of tools that others wrote: a linter, a code generator, the compiler. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS from 'openapi-typescript';
import { expect, onTestFinished, test } from 'vitest';
import { openApiDocument } from './openapi.ts';

test('a linter has nothing against it but that the specification shows no licence', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(openApiDocument());
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([
    'info-license: Info object should contain `license` field.',
  ]);
});

/** A client that is right, and one mistake on each of the last lines. */
const client = `
import type { components, operations } from './api.ts';
type Page = operations['listModels']['responses'][200]['content']['application/json'];
export const names = (page: Page): readonly string[] => page.data.map(({ name }) => name);
export const cursor = (page: Page): string | null => page.pagination.nextCursor;
export const body: operations['sendMessage']['requestBody']['content']['application/json'] = { message: 'Hello' };
export const kind = (column: components['schemas']['Column']): boolean => column.type === 'bigint';
`;
const mistakes = `
export const noName: operations['sendMessage']['requestBody']['content']['application/json'] = { text: 'Hello' };
export const noKind = (column: components['schemas']['Column']): boolean => column.type === 'decimal';
export const noFlag = (page: Page): string => page.pagination.hasMore;
`;

test('a generator makes types of it, with which a client compiles and its mistakes do not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'awc-openapi-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const document = join(folder, 'api.json');
  await writeFile(document, JSON.stringify(openApiDocument()));
  await writeFile(join(folder, 'api.ts'), await openapiTS(pathToFileURL(document)));
  await writeFile(join(folder, 'client.ts'), client);
  await writeFile(join(folder, 'mistakes.ts'), client + mistakes);
  const output = await compile(folder);
  const places = [...output.matchAll(/^(\w+\.ts)\((\d+),/gm)].map(([, file, line]) => `${file} ${line}`);
  expect(places, output).toEqual(['mistakes.ts 9', 'mistakes.ts 10', 'mistakes.ts 11']);
});

function compile(folder: string): Promise<string> {
  const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--allowImportingTsExtensions', '--types', ''];
  const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2024'];
  const args = [tsc, ...options, ...modules, 'client.ts', 'mistakes.ts'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}
