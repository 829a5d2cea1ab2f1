import type { Api } from './api.ts';
import { TransportError } from '../core/http.ts';
import type { Session } from './session/session.ts';

/**
 * A fixture that is made once in a run for each key: the second check that asks for it gets the first one's, or its
 * failure. What it made is read by the checks, never changed. Where no answer came while it was made, that may have been
 * an accident: whoever asks next has it made once more, and that one stands.
 */
export function shared<Fixture>(
  make: (api: Api, key: string) => Promise<Fixture>,
): (api: Api, key?: string) => Promise<Fixture> {
  const made = new WeakMap<Session, Map<string, Promise<Fixture>>>();
  const again = new WeakMap<Session, Set<string>>();

  async function makeIn(fixtures: Map<string, Promise<Fixture>>, api: Api, key: string): Promise<Fixture> {
    try {
      return await make(api, key);
    } catch (error) {
      const lost = again.get(api.session) ?? new Set();
      again.set(api.session, lost);
      if (error instanceof TransportError && !lost.has(key)) fixtures.delete(key);
      lost.add(key);
      throw error;
    }
  }

  return (api, key = '') => {
    const fixtures = made.get(api.session) ?? new Map<string, Promise<Fixture>>();
    made.set(api.session, fixtures);
    const fixture = fixtures.get(key) ?? makeIn(fixtures, api, key);
    fixtures.set(key, fixture);
    return fixture;
  };
}
