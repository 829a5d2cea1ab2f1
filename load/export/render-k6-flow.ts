import { rateCurve } from '../schedule/rate-curve.ts';
import { peakOf } from '../profile/arrival-fields.ts';
import { leftOutOfAny } from './exported-load.ts';
import type { ExportedFlow, ExportedStep } from './exported-flow.ts';
import { k6Options, unjudgedByK6 } from './k6-options.ts';
import { k6Script } from './k6-script.ts';

/** A script for k6 in which each iteration is a user who goes through the steps of a flow. */
export function renderK6Flow(exported: ExportedFlow): string {
  const { profile, flow, target, steps, users, missing } = exported;
  return k6Script({
    profile,
    target,
    isPoisson: flow.arrivals === 'poisson',
    comments: [
      ...(exported.hasOwnChats
        ? ['A virtual user has a chat of its own: dropped_iterations counts users for whom no chat was idle.']
        : []),
      ...missing.map((name) => `Never sent: the step ${name}, for which the target file declares nothing.`),
      ...leftOutOfAny(profile, target, unjudgedByK6(profile)),
    ],
    requests: users.flatMap((user) => Object.values(user).flat()),
    imports: [
      "import { check, sleep } from 'k6';",
      "import { SharedArray } from 'k6/data';",
      "import exec from 'k6/execution';",
      "import http from 'k6/http';",
      "import { Counter, Rate, Trend } from 'k6/metrics';",
    ],
    options: k6Options(profile, flow, virtualUsers(exported)),
    code: [...dataLines(exported), ...flowLines],
  });

  function dataLines({ hasOwnChats }: ExportedFlow): readonly string[] {
    const plannedMs = profile.warmUpMs + rateCurve(flow.ratePerSecond, flow.stages).durationMs;
    return [
      '/**',
      ' * @typedef {(string | { from: string })[]} Template',
      ' * @typedef {{ name: string, operation: string, timeout: string, think: { leastMs: number, mostMs: number },',
      ' *   query: Record<string, Template>, message?: Template, recalls: { from: string, path: string[] }[] }} Step',
      ' * @typedef {Record<string, Request[]>} User',
      ' */',
      '',
      '/** @type {Step[]} */',
      `const steps = ${JSON.stringify(steps.map(stepData), null, 2)};`,
      '// The requests of each user by step, without what the user fills in.',
      `const users = new SharedArray('users', () => /** @type {User[]} */ (${JSON.stringify(users, null, 2)}));`,
      '// Each user gets the next row.',
      `const rows = new SharedArray('rows', () => /** @type {Record<string, string>[]} */ (${JSON.stringify(flow.rows, null, 1)}));`,
      `const hasOwnChats = ${hasOwnChats};`,
      '// How long the scenario lasts, and how long a response may take.',
      `const plannedMs = ${plannedMs};`,
      `const patienceMs = ${target.assistant.timeoutSeconds * 1000};`,
      `const rateLimitedIsError = ${profile.rateLimitedIsError};`,
      '',
    ];
  }
}

function stepData({ timeoutMs, ...step }: ExportedStep) {
  return { ...step, timeout: `${timeoutMs}ms` };
}

/** Where messages are sent, there are as many virtual users as chats; otherwise enough for all who think. */
function virtualUsers({ flow, target, steps, users, hasOwnChats }: ExportedFlow) {
  const patienceMs = hasOwnChats ? target.assistant.timeoutSeconds * 1000 : 0;
  const thinkMs = steps.reduce((sum, { think }) => sum + think.mostMs, 0);
  const atOnce = Math.ceil(peakOf(flow) * (1 + thinkMs / 1000));
  const most = hasOwnChats ? users.length : Math.max(flow.sockets, atOnce);
  const timeoutsMs = steps.reduce((sum, { timeoutMs }) => sum + timeoutMs, 0);
  return { atFirst: Math.min(most, atOnce), most, gracefulStopMs: thinkMs + timeoutsMs + patienceMs };
}

const flowLines = [
  "const flowDuration = new Trend('flow_duration', true);",
  "const flowFailed = new Rate('flow_failed');",
  "const stepsSkipped = new Counter('steps_skipped');",
  '',
  '/** @param {number} status */',
  'const isOk = (status) => status >= 200 && status < 300;',
  '',
  '/**',
  ' * The text with its values; undefined if one is not there, or if the text is empty or too long.',
  ' * @param {Template} template',
  ' * @param {Record<string, string>} values',
  ' */',
  'function filled(template, values) {',
  "  const parts = template.map((part) => (typeof part === 'string' ? part : values[part.from]));",
  '  if (parts.some((part) => part === undefined)) return undefined;',
  "  const text = parts.join('');",
  "  return text === '' || text.length > 10000 ? undefined : text;",
  '}',
  '',
  '/**',
  ' * Undefined if a value is not there, or if the target file declares nothing for the step.',
  ' * @param {Step} step',
  ' * @param {Request[]} requests',
  ' * @param {Record<string, string>} values',
  ' */',
  'function requestOf(step, requests, values) {',
  '  const request = requests[exec.scenario.iterationInTest % requests.length];',
  '  if (request === undefined) return undefined;',
  '  let { path, body } = request;',
  '  for (const [name, template] of Object.entries(step.query)) {',
  '    const text = filled(template, values);',
  '    if (text === undefined) return undefined;',
  "    path += (path.includes('?') ? '&' : '?') + name + '=' + encodeURIComponent(text);",
  '  }',
  '  if (step.message !== undefined) {',
  '    const message = filled(step.message, values);',
  '    if (message === undefined) return undefined;',
  '    body = JSON.stringify({ message });',
  '  }',
  '  return Object.assign({}, request, { path, body });',
  '}',
  '',
  '/**',
  ' * Keeps what later steps refer to.',
  ' * @param {Step} step',
  ' * @param {unknown} body',
  ' * @param {number} place chooses the item for `any`, from 0 up to 1',
  ' * @param {Record<string, string>} values',
  ' */',
  'function recall(step, body, place, values) {',
  '  if (step.recalls.length === 0) return;',
  '  let answer;',
  '  try {',
  '    answer = JSON.parse(String(body));',
  '  } catch (error) {',
  '    return;',
  '  }',
  '  for (const { from, path } of step.recalls) {',
  '    let here = answer;',
  '    for (const name of path) {',
  "      const key = name === 'any' && Array.isArray(here) ? Math.floor(place * here.length) : name;",
  '      here = Object(here) === here && Object.keys(here).includes(String(key)) ? here[key] : undefined;',
  '    }',
  "    if (['string', 'number', 'boolean'].includes(typeof here) && String(here).length <= 1000) values[from] = String(here);",
  '  }',
  '}',
  '',
  'export default function () {',
  '  const index = exec.scenario.iterationInTest;',
  '  const user = users[(hasOwnChats ? exec.vu.idInTest - 1 : index) % users.length];',
  '  /** @type {Record<string, string>} */',
  '  const values = {};',
  '  const row = rows.length === 0 ? {} : rows[index % rows.length];',
  "  for (const [column, value] of Object.entries(row)) values['row.' + column] = value;",
  '  const place = Math.random();',
  '  const arrivedAt = Date.now();',
  '  let last;',
  '  let messageStatus = 200;',
  '  for (const step of steps) {',
  '    const { name, operation, timeout, think } = step;',
  '    const request = requestOf(step, user[name], values);',
  '    if (request === undefined) {',
  '      stepsSkipped.add(1, { step: name });',
  '      continue;',
  '    }',
  '    if (last !== undefined) sleep((think.leastMs + Math.random() * (think.mostMs - think.leastMs)) / 1000);',
  "    const responseType = step.recalls.length > 0 ? 'text' : 'none';",
  '    const tryUntil = Date.now() + patienceMs;',
  '    last = send(request, timeout, { name, step: name, operation }, responseType);',
  '    // While an earlier message of the user may still be answered, a busy chat is tried again.',
  "    while (operation === 'sendMessage' && messageStatus === 202 && last.status === 409 && Date.now() + 500 <= tryUntil) {",
  '      sleep(0.5);',
  '      last = send(request, timeout, { name, step: name, operation }, responseType);',
  '    }',
  "    if (operation === 'sendMessage') messageStatus = last.status;",
  '    if (!isOk(last.status)) break;',
  '    recall(step, last.body, place, values);',
  '  }',
  '  if (last === undefined) return;',
  '  const isTimeout = last.error_code === 1050;',
  '  if (isOk(last.status) || isTimeout) flowDuration.add(Date.now() - arrivedAt);',
  '  const isExcused = last.status === 409 ? hasOwnChats : last.status === 429 && !rateLimitedIsError;',
  '  flowFailed.add(!isOk(last.status) && !isExcused);',
  '  // The chat rests while its last response may still be generated.',
  '  const restMs = { 0: patienceMs, 202: patienceMs, 409: 1000 }[messageStatus] || 0;',
  '  sleep(Math.max(0, Math.min(restMs, exec.scenario.startTime + plannedMs - Date.now())) / 1000);',
  '}',
];
