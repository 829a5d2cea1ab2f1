/**
 * What a run or a check remembers. It is a field of the session or the Api, so two runs in one process share nothing.
 * Each part and its type are declared where they are used.
 */
export class RunMemory {
  readonly #parts = new Map<object, Part<unknown>>();

  /** The value of that name, made on first use. */
  once<Value>(name: Name<Value>, make: () => Value): Value {
    const known = this.#parts.get(name);
    if (known !== undefined && isNamed(known, name)) return known.value;
    const part = { name, value: make() };
    this.#parts.set(name, part);
    return part.value;
  }
}

type Part<Value> = { readonly name: object; readonly value: Value };
/** Identifies a part by reference; its type parameter is the type of the value. */
type Name<Value> = { readonly value?: Value };

function isNamed<Value>(part: Part<unknown>, name: Name<Value>): part is Part<Value> {
  return part.name === name;
}

/** Declares what a run remembers: `const takenIn = perRun(() => new Set<string>())`, used as `takenIn(session).add(…)`. */
export function perRun<Value>(make: () => Value): (session: { readonly memory: RunMemory }) => Value {
  const name: Name<Value> = {};
  return ({ memory }) => memory.once(name, make);
}

/** What an attempt at a check keeps its memory in: an Api. */
type Attempt = { readonly checkMemory: RunMemory };

/** Declares what one attempt at a check remembers. */
export function perCheck<Value, Api extends Attempt>(make: (api: Api) => Value): (api: Api) => Value {
  const name: Name<Value> = {};
  return (api) => api.checkMemory.once(name, () => make(api));
}
