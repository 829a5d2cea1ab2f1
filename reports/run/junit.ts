import { shown } from '../../core/text.ts';
import { causesOf } from '../causes/causes.ts';
import { areasOf } from '../record/areas.ts';
import { type Exception, exceptionsOf, gapSentence, waiverSentence } from '../record/waivers.ts';
import type { BodyRecord, Cause, CheckRecord, ExchangeRecord, RunRecord } from '../record/record.ts';
import { goneTitle, isGone, statusOf } from '../record/check-status.ts';
import { resultWord, verdictSentence } from '../record/verdict-sentence.ts';
import { findingText, insecureSentence, statusLine } from '../text/check-text.ts';
import { checkNote } from '../text/curl-note.ts';
import { entities } from '../text/entities.ts';

/** In characters, of a body in system-out. */
const maxBody = 2000;

type Case = {
  readonly name: string;
  readonly durationMs: number;
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped';
  /** XML elements. */
  readonly content: string;
};

/**
 * The run as JUnit XML for GitLab and Jenkins: a suite for each area, a case for each check. JUnit has no warning, so a check
 * that warned or is waived is skipped with its text and does not look green. The waivers and accepted gaps have their own
 * suite, because one that is out of date fails the run.
 */
export function renderJunit(record: RunRecord): string {
  const { suite, target, checks, startedAt } = record;
  const causes = causeNames(causesOf(checks));
  const known = exceptionsOf(record).map(exceptionCase);
  const ofTarget = [...(target.insecure === true ? [insecureCase] : []), ...(isGone(checks) ? [goneCase(record)] : [])];
  const suites = [
    ...areasOf(checks).map(({ name, checks: own }) => ({
      name,
      cases: own.map((check) => checkCase(record, check, causes)),
    })),
    ...(known.length === 0 ? [] : [{ name: 'waivers', cases: known }]),
    ...(ofTarget.length === 0 ? [] : [{ name: 'target', cases: ofTarget }]),
  ];
  const elements = suites.map(({ name, cases }) => {
    const attributes = { name, timestamp: startedAt, ...counts(cases) };
    return element('testsuite', attributes, cases.map((one) => caseElement(name, one)).join(''));
  });
  const { skipped: _, ...all } = counts(suites.flatMap(({ cases }) => cases)); // known to suites only
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: suite.name, ...all }, elements.join(''))}`;
}

function counts(cases: readonly Case[]) {
  const of = (kind: Case['kind']) => String(cases.filter((one) => one.kind === kind).length);
  const timeMs = cases.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const numbers = { tests: String(cases.length), failures: of('failure'), errors: of('error'), skipped: of('skipped') };
  return { ...numbers, time: seconds(timeMs) };
}

function caseElement(classname: string, { name, durationMs, content }: Case): string {
  return element('testcase', { classname, name, time: seconds(durationMs) }, content);
}

/** By requirement: the requirement that explains its violation. */
function causeNames(causes: readonly Cause[]): ReadonlyMap<string, string> {
  return new Map(
    causes.flatMap(({ requirement, consequences }) =>
      consequences.map((consequence) => [consequence.requirement, requirement] as const),
    ),
  );
}

function checkCase(record: RunRecord, check: CheckRecord, causes: ReadonlyMap<string, string>): Case {
  const { title: name, durationMs } = check;
  const note = checkNote(record, check);
  const output = [...check.exchanges.map(exchangeText), check.curl, note]
    .filter((text) => text !== undefined)
    .join('\n\n');
  const systemOut = output === '' ? '' : element('system-out', {}, escapeXml(output));
  const { kind, content } = resultOf(check, causes.get(check.requirement), note);
  return { name, durationMs, kind, content: `${content}${systemOut}` };
}

const insecureCase: Case = {
  name: 'the certificate of the server is verified',
  durationMs: 0,
  kind: 'skipped',
  content: element('skipped', { message: insecureSentence }, ''),
};

/** A blocked check does not fail a pipeline. */
function goneCase(record: RunRecord): Case {
  const message = `${resultWord(record)}: ${verdictSentence(record)}`;
  const content = element('error', { message, type: record.result }, '');
  return { name: goneTitle, durationMs: 0, kind: 'error', content };
}

function exceptionCase({ name, state, problem }: Exception): Case {
  if (problem === undefined) return { name, durationMs: 0, kind: 'passed', content: '' };
  return { name, durationMs: 0, kind: 'failure', content: element('failure', { message: problem, type: state }, '') };
}

function resultOf(
  check: CheckRecord,
  cause: string | undefined,
  note: string | undefined,
): Pick<Case, 'kind' | 'content'> {
  const { reason = '', expected = '', actual = '', counterexample, level, waived, accepted } = check;
  const found = findingText(check) ?? '';
  const values = counterexample === undefined ? '' : `\ninput    ${counterexample.values}`;
  const last = check.exchanges.at(-1);
  const lines = [
    ...(cause === undefined ? [] : [`cause    ${cause}`]),
    `expected ${expected}`,
    `got      ${actual}${values}`,
    ...(last === undefined ? [] : [`exchange ${shown(statusLine(last), 2000)}`]),
    ...(check.curl === undefined ? [] : [`curl     ${check.curl}`]),
    ...(note === undefined ? [] : [`         ${note}`]),
  ];
  const text = escapeXml(lines.join('\n'));
  switch (statusOf(check)) {
    case 'passed':
      return { kind: 'passed', content: '' };
    case 'failed':
      return { kind: 'failure', content: element('failure', { message: found, type: level }, text) };
    case 'warned':
      return { kind: 'skipped', content: element('skipped', { message: `warned: ${found}` }, text) };
    case 'waived': {
      const message = `${waived === undefined ? 'waived' : waiverSentence(waived)} ${found}`;
      return { kind: 'skipped', content: element('skipped', { message }, text) };
    }
    case 'accepted': {
      const message = `${accepted === undefined ? 'accepted' : gapSentence(accepted)} ${reason}`;
      return { kind: 'skipped', content: element('skipped', { message }, escapeXml(reason)) };
    }
    case 'blocked':
      return { kind: 'skipped', content: element('skipped', { message: reason }, escapeXml(reason)) };
    case 'errored':
      return { kind: 'error', content: element('error', { message: reason, type: 'errored' }, escapeXml(reason)) };
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
  return [
    `${mark} ${shown(body.text, maxBody)}${body.cut ? ` … of ${body.bytes} bytes` : ''}`,
    ...(body.parts ?? []).map(({ path, text, cut }) => `${mark} ${path}: ${shown(text, maxBody)}${cut ? ' …' : ''}`),
  ];
}

function element(name: string, attributes: Readonly<Record<string, string>>, content: string): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return content === '' ? `<${name}${pairs.join('')}/>\n` : `<${name}${pairs.join('')}>${content}</${name}>\n`;
}

/** Text for XML 1.0, which forbids most control characters even as references: those, and what hides text, become `\uNNNN`. */
function escapeXml(text: string): string {
  const visible = text.replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|[\p{Surrogate}\p{Cf}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
  return entities(visible, /[&<>"'\t\r\n]/g);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
