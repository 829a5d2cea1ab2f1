import type { TlsFacts } from '../../core/network/tls-facts.ts';
import type { Target } from '../../core/target.ts';
import { shown } from '../../core/text.ts';
import { isLoopback } from '../../targets/is-loopback.ts';
import type { Pulse } from '../../targets/doctor/pulse.ts';
import { bad, doubtful, good, type Line, plain } from './line.ts';

const dayMs = 86_400_000;
/** The doctor warns if a certificate expires within `soonMs`, or if the clocks differ by more than `skewMs`. */
const soonMs = 14 * dayMs;
const skewMs = 5000;

/** Latency, clock, quota and TLS. `tls` is undefined for the embedded reference; `nowMs` is the time to judge a certificate by. */
export function pulseLines(pulse: Pulse, tls: TlsFacts | undefined, target: Target, nowMs: number): readonly Line[] {
  return [
    ...latencyLines(pulse, target),
    ...clockLines(pulse),
    ...quotaLines(pulse, target),
    ...(tls === undefined ? [] : tlsLines(tls, target, nowMs)),
  ];
}

function latencyLines({ latencyMs, answers }: Pulse, { limits }: Target): readonly Line[] {
  if (latencyMs === undefined) return [];
  const { median, p95 } = latencyMs;
  const text = `latency: median ${milliseconds(median)}, p95 ${milliseconds(p95)}, from ${answers} answers`;
  if (p95 <= limits.toleranceMs) return [good(text)];
  return [doubtful(`${text}; times are judged with limits.toleranceMs ${limits.toleranceMs}: raise it above the p95`)];
}

function clockLines({ clock }: Pulse): readonly Line[] {
  if (clock === undefined) return [plain('clock: no answer has a readable Date header')];
  const { aheadMs, uncertaintyMs } = clock;
  const off = Math.abs(aheadMs) - uncertaintyMs;
  const direction = aheadMs > 0 ? 'ahead of' : 'behind';
  if (off <= 0) return [good(`clock: same as this machine, ±${milliseconds(uncertaintyMs)}`)];
  const text = `clock: ${milliseconds(Math.abs(aheadMs))} ${direction} this machine, ±${milliseconds(uncertaintyMs)}`;
  return [off > skewMs ? doubtful(`${text}; no check depends on it, but comparing logs is hard`) : good(text)];
}

function quotaLines({ limited, quotaHeaders, answers }: Pulse, target: Target): readonly Line[] {
  const { limits } = target;
  const pace = Number.isFinite(limits.maxRequestsPerSecond)
    ? `at most ${limits.maxRequestsPerSecond} requests a second`
    : 'an unlimited rate';
  const headers = Object.entries(quotaHeaders).map(([name, value]) => `${shown(name, 40)}: ${shown(value, 60)}`);
  const said = headers.length === 0 ? 'no header shows a quota' : headers.slice(0, 6).join(', ');
  if (limited > 0) {
    const slower = 'with a lower limits.maxRequestsPerSecond, they do not';
    const unseen = target.allow.has('rateLimit') ? ', but then no check judges the rate limit' : '';
    return [
      doubtful(
        `rate: ${limited} of ${answers} answers were 429 (${said}); runs wait after each 429; ${slower}${unseen}`,
      ),
    ];
  }
  const hidden = hiddenQuota(quotaHeaders, target);
  return [hidden ?? good(`rate: no 429 in ${answers} answers at ${pace}; ${said}`)];
}

/** A quota of a policy, such as `100;w=60`: requests in so many seconds. */
const policy = /\b(\d{1,9})\s*;\s*w=(\d{1,9})\b/;

/** A quota that the pace of a run never reaches, so that no check of rate limits meets it. */
function hiddenQuota(headers: Pulse['quotaHeaders'], { limits, allow }: Target): Line | undefined {
  const [, requests, seconds] =
    Object.values(headers)
      .map((value) => policy.exec(value))
      .find((found) => found !== null) ?? [];
  const perSecond = Number(requests) / Number(seconds);
  if (!allow.has('rateLimit') || !(perSecond >= limits.maxRequestsPerSecond)) return undefined;
  return doubtful(
    `rate: the deployment allows ${requests} requests in ${seconds} s, so a run at limits.maxRequestsPerSecond ${limits.maxRequestsPerSecond} never meets its limit: raise it above ${Math.ceil(perSecond)}`,
  );
}

function tlsLines(tls: TlsFacts, { baseUrl, tls: settings }: Target, nowMs: number): readonly Line[] {
  switch (tls.kind) {
    case 'none':
      return isLoopback(baseUrl) ? [] : [doubtful('TLS: none: anyone on the network can read keys and answers')];
    case 'failed':
      return [bad(`TLS: no connection could be made (${tls.code})`)];
    case 'secure': {
      const { protocol, untrusted, validTo } = tls;
      const days = validTo === undefined ? undefined : Math.floor((validTo - nowMs) / dayMs);
      const valid = validTo === undefined ? '' : `, valid until ${new Date(validTo).toISOString().slice(0, 10)}`;
      const text = `TLS: ${protocol}, certificate ${untrusted === undefined ? 'trusted' : `not trusted (${untrusted})`}${valid}`;
      if (settings?.insecure === true) return [doubtful(`${text}; it is not verified, because tls.insecure is set`)];
      if (untrusted !== undefined) return [bad(text)];
      return [days !== undefined && days * dayMs < soonMs ? doubtful(`${text}: ${days} days left`) : good(text)];
    }
  }
}

function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`;
}
