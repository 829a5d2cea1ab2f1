import type { Deployment } from '../core/http.ts';

/** A deployment that says when so many requests of the load have come: those with a limit of 5. */
export function noticeRequests(requests: number) {
  const { promise: isUnderWay, resolve } = Promise.withResolvers<void>();
  let met = 0;
  const wrap =
    (reference: Deployment): Deployment =>
    (request) => {
      if (request.path.includes('limit=5')) met += 1;
      if (met === requests) resolve();
      return reference(request);
    };
  return { isUnderWay, wrap, met: () => met };
}
