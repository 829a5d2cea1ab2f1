import { shown } from '../harness/text.ts';
import { areasOf } from './areas.ts';
import { countVerdicts } from './count-verdicts.ts';
import type { BodyRecord, CheckRecord, ExchangeRecord, RunRecord } from './record.ts';
import { statusLine } from './status-line.ts';

/** Of a body in system-out, in characters. */
const maxBody = 2000;

/**
 * The run as JUnit XML for GitLab and Jenkins: a suite an area, a case a check. JUnit knows no warning, so what warned is
 * skipped with its text, lest it read as green.
 */
export function renderJunit(record: RunRecord): string {
  const areas = areasOf(record.checks);
  const suites = areas.map(({ name, checks }) => {
    const attributes = counts(checks, { name, timestamp: record.startedAt });
    return element('testsuite', attributes, checks.map((check) => testCase(name, check)).join(''));
  });
  const { skipped: _, ...all } = counts(record.checks, { name: record.suite.name }); // known to suites only
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', all, suites.join(''))}`;
}

function counts(checks: readonly CheckRecord[], named: Readonly<Record<string, string>>) {
  const { failed, errored, blocked, warned } = countVerdicts(checks);
  const timeMs = checks.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const numbers = { tests: checks.length, failures: failed, errors: errored, skipped: blocked + warned };
  const texts = Object.entries(numbers).map(([name, count]) => [name, String(count)]);
  return { ...named, ...Object.fromEntries(texts), time: seconds(timeMs) };
}

function testCase(area: string, check: CheckRecord): string {
  const attributes = { classname: area, name: check.title, time: seconds(check.durationMs) };
  const output = [...check.exchanges.map(exchangeText), check.curl].filter((text) => text !== undefined).join('\n\n');
  const systemOut = output === '' ? '' : element('system-out', {}, escapeXml(output));
  return element('testcase', attributes, `${outcome(check)}${systemOut}`);
}

function outcome({ verdict, reason = '', expected = '', actual = '', counterexample, level }: CheckRecord): string {
  const found = `expected ${expected}; got ${actual}`;
  const values = counterexample === undefined ? '' : `\nvalues   ${counterexample.values}`;
  const text = escapeXml(`expected ${expected}\ngot      ${actual}${values}`);
  switch (verdict) {
    case 'passed':
      return '';
    case 'failed':
      return element('failure', { message: found, type: level }, text);
    case 'warned':
      return element('skipped', { message: `warned: ${found}` }, text);
    case 'blocked':
      return element('skipped', { message: reason }, escapeXml(reason));
    case 'errored':
      return element('error', { message: reason, type: 'errored' }, escapeXml(reason));
  }
}

function exchangeText(exchange: ExchangeRecord): string {
  const { request, outcome: came } = exchange;
  const sent = [statusLine(exchange), ...headerLines(request.headers, '>'), ...bodyLines(request.body, '>')];
  if (came.kind === 'failed') return [...sent, `< ${came.message}`].join('\n');
  return [...sent, `< ${came.status}`, ...headerLines(came.headers, '<'), ...bodyLines(came.body, '<')].join('\n');
}

function headerLines(headers: Readonly<Record<string, string>>, mark: string): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${mark} ${shown(`${name}: ${value}`, 500)}`);
}

function bodyLines(body: BodyRecord | undefined, mark: string): readonly string[] {
  if (body === undefined || body.bytes === 0) return [];
  return [`${mark} ${shown(body.text, maxBody)}${body.cut ? ` … of ${body.bytes} bytes` : ''}`];
}

function element(name: string, attributes: Readonly<Record<string, string>>, content: string): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return content === '' ? `<${name}${pairs.join('')}/>\n` : `<${name}${pairs.join('')}>${content}</${name}>\n`;
}

/**
 * Text for XML 1.0, in which most control characters cannot stand, not even as references: those are written `\uNNNN`, and
 * so is what turns text around.
 */
function escapeXml(text: string): string {
  return text
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|[\p{Surrogate}\p{Cf}]/gu,
      (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
    )
    .replace(/[&<>"'\t\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
