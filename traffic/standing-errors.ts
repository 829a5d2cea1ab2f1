import type { Recorded } from './recorded.ts';

/**
 * The 5xx answers that are no accident: the same request was recorded at least twice, and never got another kind of answer.
 * Section 7 knows internal errors, so a deployment may fail now and then, whatever it is asked.
 */
export function standingErrors(traffic: readonly Recorded[]): ReadonlySet<Recorded> {
  if (!traffic.some(isServerError)) return new Set();
  const groups = Map.groupBy(traffic, ({ sender, exchange: { request } }) =>
    JSON.stringify([
      sender.name,
      request.method,
      request.path,
      request.headers['content-type'],
      typeof request.body === 'string' ? request.body : '',
    ]),
  );
  const standing = [...groups.values()].filter((same) => same.length > 1 && same.every(isServerError));
  return new Set(standing.flat());
}

function isServerError({ answer }: Recorded): boolean {
  return answer.status >= 500;
}
