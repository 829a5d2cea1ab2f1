import type { Answer } from '../../core/exchange.ts';
import type { Principal } from '../../core/target.ts';
import type { Operation } from '../../spec/requirement.ts';
import { adviceAbout } from './foreign-page.ts';

/**
 * What an answer shows. `speaks`: this API answers. `absent`: an admin gets 404 for its own resource. `unauthorized`: 401.
 * `foreign`: another service answers. `silent`: no answer.
 */
export type Sign = 'speaks' | 'absent' | 'unauthorized' | 'foreign' | 'silent';

/** One reading request of a principal, and its result. */
export type Probe = {
  readonly principal: Principal;
  readonly operation: Operation;
  /** The ID of an organization or a billing account. */
  readonly resource: string;
  /** Whether the target file says that the principal is admin there. */
  readonly isAdmin: boolean;
  readonly sign: Sign;
  readonly answer: Answer | undefined;
  /** The answer, or why there is none, in short. */
  readonly outcome: string;
};

/**
 * Why no verdict is possible, as one sentence with a remedy; undefined if the deployment can be judged. `advice` is what a look at
 * the way to it showed.
 */
export function whyUnusable(probes: readonly Probe[], baseUrl: string, advice?: string): string | undefined {
  const all = (sign: Sign, of: readonly Probe[]) => of.length > 0 && of.every((probe) => probe.sign === sign);
  const [first] = probes;
  if (first === undefined) return 'The target file names no principal with a key.';
  if (all('silent', probes)) return `Cannot judge ${baseUrl}: ${withAdvice(first, baseUrl, advice)}`;
  const answered = probes.filter(({ sign }) => sign !== 'silent');
  if (all('unauthorized', answered)) {
    return `No key works: every request of ${namesOf(answered)} gets 401. Are the keys for ${baseUrl}?`;
  }
  if (answered.some(({ sign }) => sign === 'speaks' || sign === 'absent')) {
    const ofAdmins = answered.filter(({ isAdmin }) => isAdmin);
    if (all('absent', ofAdmins)) {
      return `${baseUrl} has nothing that the target file declares: every resource of ${namesOf(ofAdmins)} gets 404. Are the base URL and the IDs right?`;
    }
    if (!all('unauthorized', ofAdmins)) return undefined;
    return `No admin key works: every request of ${namesOf(ofAdmins)} gets 401.`;
  }
  const foreign = answered.find(({ sign }) => sign === 'foreign');
  return `This API is not at ${baseUrl}: ${foreign?.operation} gets ${foreign && withAdvice(foreign, baseUrl, advice)}`;
}

/** Why nothing can be read, as one sentence with a remedy; undefined if something can. Every request then gets 429, 5xx or no answer. */
export function whyUnreadable(probes: readonly Probe[], baseUrl: string): string | undefined {
  const isReadable = ({ answer }: Probe) => answer !== undefined && answer.status < 500 && answer.status !== 429;
  if (probes.some(isReadable)) return undefined;
  const outcomes = [...new Set(probes.map(({ outcome }) => outcome))];
  const limited = probes.some(({ answer }) => answer?.status === 429);
  const advice = limited
    ? 'Wait until its rate limit resets, and stop other clients.'
    : 'See the log of the deployment.';
  return `Nothing can be read at ${baseUrl}: every request gets ${outcomes.slice(0, 3).join(', or ')}. ${advice}`;
}

function namesOf(probes: readonly Probe[]): string {
  return [...new Set(probes.map(({ principal }) => `${principal.name} (${keyPlace(principal)})`))].join(', ');
}

/** A 400 says too little to advise anything beside what the way showed. */
function withAdvice({ answer, outcome }: Probe, baseUrl: string, advice: string | undefined): string {
  const ofPage =
    answer === undefined || (answer.status === 400 && advice !== undefined) ? undefined : adviceAbout(answer, baseUrl);
  const what = answer === undefined ? outcome : `${outcome}.`;
  return [what, ofPage, advice].filter((part) => part !== undefined).join(' ');
}

/** Whether the answers, or that there are none, can come from how TLS is set up. */
export function mayBeTls(probes: readonly Probe[]): boolean {
  return probes.every(({ sign, answer }) => sign === 'silent' || [400, 403].includes(answer?.status ?? 0));
}

/** Where to find a principal's key. */
export function keyPlace({ variable, isWritten }: Principal): string {
  return isWritten === true ? 'the key in the file' : variable;
}
