import type { Api } from './api.ts';
import { TransportError } from '../core/http.ts';
import { perRun } from './session/run-memory.ts';

/**
 * A fixture that is made once in a run for each key: the second check that asks for it gets the first one's, or its
 * failure. Checks read what it made and never change it. If no answer came while it was made, that may have been an
 * accident: the next check makes it once more, and that result is final.
 */
export function shared<Fixture>(
  make: (api: Api, key: string) => Promise<Fixture>,
): (api: Api, key?: string) => Promise<Fixture> {
  const memoryOf = perRun(() => ({
    fixtures: new Map<string, Promise<Fixture>>(),
    lost: new Set<string>(),
  }));

  async function makeOnce(api: Api, key: string): Promise<Fixture> {
    try {
      return await make(api, key);
    } catch (error) {
      const { fixtures, lost } = memoryOf(api.session);
      if (error instanceof TransportError && !lost.has(key)) fixtures.delete(key);
      lost.add(key);
      throw error;
    }
  }

  return (api, key = '') => {
    const { fixtures } = memoryOf(api.session);
    const fixture = fixtures.get(key) ?? makeOnce(api, key);
    fixtures.set(key, fixture);
    return fixture;
  };
}
