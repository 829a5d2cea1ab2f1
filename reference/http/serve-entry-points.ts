import type { Deployment } from '../../core/http.ts';
import { baseUrlsOf } from '../../core/network/address.ts';
import type { Target } from '../../core/target.ts';
import { serve } from './serve.ts';

/** Serves each entry point of a reference on a port of its own, from `port` on; 0 picks free ones. The target has their URLs. */
export async function serveEntryPoints(
  { deployment, target }: { readonly deployment: Deployment; readonly target: Target },
  { port, host }: { readonly port: number; readonly host: string },
): Promise<{ readonly target: Target; readonly close: () => Promise<void> }> {
  const servers: Awaited<ReturnType<typeof serve>>[] = [];
  const close = async () => {
    for (const server of servers) await server.close();
  };
  try {
    for (const [index, entryPoint] of baseUrlsOf(target).entries()) {
      const entered: Deployment = (request) => deployment({ ...request, baseUrl: entryPoint });
      servers.push(await serve(entered, { port: port === 0 ? 0 : port + index, host }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const urls = servers.map(({ url }) => url);
  const [first = target.baseUrl] = urls;
  return { target: { ...target, baseUrl: first, ...(urls.length > 1 ? { baseUrls: urls } : {}) }, close };
}
