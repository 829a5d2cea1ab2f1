import { expect, test } from 'vitest';
import { parseTarget } from './target-file.ts';

const principals = 'principals: { alice: { key: k-alice } }';

function parsed(...lines: readonly string[]) {
  return parseTarget(['name: Staging', ...lines, principals].join('\n'), 'staging.yaml', {}).target;
}

function problemsOf(...lines: readonly string[]): string {
  try {
    parsed(...lines);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'accepted';
}

test('several entry points of one deployment are named beside baseUrl or in its place', () => {
  const both = { baseUrl: 'https://a.example.com', baseUrls: ['https://a.example.com', 'https://b.example.com'] };
  expect(parsed('baseUrls: [https://a.example.com, https://b.example.com]')).toMatchObject(both);
  expect(parsed('baseUrl: https://a.example.com', 'baseUrls: [https://b.example.com]')).toMatchObject(both);
});

test('one entry point is no list', () => {
  for (const line of ['baseUrl: https://a.example.com', 'baseUrls: [https://a.example.com]']) {
    const target = parsed(line);
    expect(target.baseUrl).toBe('https://a.example.com');
    expect(target.baseUrls).toBeUndefined();
  }
});

test('requests are paced as long as one entry point is not on this machine', () => {
  const { limits } = parsed('baseUrls: ["http://127.0.0.1:1", "https://b.example.com"]');
  expect(limits.maxRequestsPerSecond).toBe(50);
});

test.each([
  ['baseUrls: []', 'staging.yaml:1:1: baseUrl is missing'],
  ['baseUrls: [https://a.example.com, ftp://b.example.com]', 'staging.yaml:2:35: baseUrls[1] is not an HTTP URL'],
  ['baseUrls: [https://a.example.com, https://a.example.com]', 'staging.yaml:2:35: baseUrls[1] is named twice'],
  ['baseUrls: https://a.example.com', 'staging.yaml:2:11: baseUrls must be a list of the URLs of one deployment'],
])('%s is rejected with its place', (line, problem) => {
  expect(problemsOf(line)).toContain(problem);
});
