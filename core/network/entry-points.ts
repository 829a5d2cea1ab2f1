import type { Target } from '../target.ts';
import { baseUrlsOf } from './address.ts';
import { createAnswerMemory } from './answer-memory.ts';
import { type NetworkTarget, networkDeployment } from './network.ts';

/** A deployment over the network: each request goes to the entry point that it names, or to the first. */
export function networkTarget(target: Target): NetworkTarget {
  const { baseUrl } = target;
  const options = { memory: createAnswerMemory() };
  const entryPoints = new Map(
    baseUrlsOf(target).map((url) => [url, networkDeployment({ ...target, baseUrl: url }, options)]),
  );
  const first = entryPoints.get(baseUrl) ?? networkDeployment(target, options);
  return {
    deployment: (request) => (entryPoints.get(request.baseUrl ?? baseUrl) ?? first).deployment(request),
    protocol: first.protocol,
    close: () => {
      for (const { close } of [first, ...entryPoints.values()]) close();
    },
  };
}
