import type { Target } from '../target.ts';
import { type NetworkTarget, networkDeployment } from './network.ts';

/** A deployment over the network: each request goes to the entry point that it names, or to the first. */
export function networkTarget({ baseUrl, baseUrls = [baseUrl] }: Target): NetworkTarget {
  const entryPoints = new Map(baseUrls.map((url) => [url, networkDeployment(url)]));
  const first = entryPoints.get(baseUrl) ?? networkDeployment(baseUrl);
  return {
    deployment: (request) => (entryPoints.get(request.baseUrl ?? baseUrl) ?? first).deployment(request),
    close: () => {
      for (const { close } of [first, ...entryPoints.values()]) close();
    },
  };
}
