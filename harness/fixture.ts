import type { Api } from './api.ts';
import type { Session } from './session.ts';

/**
 * A fixture that is made once in a run for each key: the second check that asks for it gets the first one's, or its
 * failure. What it made is read by the checks, never changed.
 */
export function shared<Fixture>(
  make: (api: Api, key: string) => Promise<Fixture>,
): (api: Api, key?: string) => Promise<Fixture> {
  const made = new WeakMap<Session, Map<string, Promise<Fixture>>>();
  return (api, key = '') => {
    const fixtures = made.get(api.session) ?? new Map<string, Promise<Fixture>>();
    made.set(api.session, fixtures);
    const fixture = fixtures.get(key) ?? make(api, key);
    fixtures.set(key, fixture);
    return fixture;
  };
}
