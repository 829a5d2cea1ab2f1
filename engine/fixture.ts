import type { Api } from './api.ts';
import { TransportError } from '../core/http.ts';
import { perRun } from './session/run-memory.ts';

/**
 * A fixture that is made once in a run for each key. Later checks get the same fixture or the same failure, and must not
 * change it. A missing answer may be an accident, so the next check makes the fixture once more, and that result is final.
 */
export function shared<Fixture>(
  make: (api: Api, key: string) => Promise<Fixture>,
): (api: Api, key?: string) => Promise<Fixture> {
  const memoryOf = perRun(() => ({
    fixtures: new Map<string, Promise<Fixture>>(),
    lost: new Set<string>(),
    /** The checks that are making one. */
    makers: new Map<string, Api>(),
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
    const { fixtures, makers } = memoryOf(api.session);
    const known = fixtures.get(key);
    const maker = makers.get(key);
    if (known !== undefined && maker !== undefined && maker !== api)
      return api.session.slots.aside(known, api.leased.length > 0);
    if (known !== undefined) return known;
    makers.set(key, api);
    // Later, because making it may give the slot to another check, which must find this fixture.
    const fixture = Promise.resolve()
      .then(() => makeOnce(api, key))
      .finally(() => makers.delete(key));
    fixtures.set(key, fixture);
    return fixture;
  };
}
