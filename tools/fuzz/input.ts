import type { Random } from '../../reference/random.ts';

/** An input, and what reads it as the commands do. */
export type Input = { readonly input: string; readonly read: () => unknown };

/** A parser of untrusted input, ready to read. */
export type Opened = {
  /** Real inputs. */
  readonly genuine: readonly Input[];
  /** One of them with changes. */
  readonly draw: (random: Random) => Input;
};

export type Parser = { readonly name: string; readonly open: () => Promise<Opened> };

/** A parser of texts. */
export function textParser(
  name: string,
  seeds: () => readonly string[] | Promise<readonly string[]>,
  mutate: (text: string, random: Random) => string,
  read: (text: string) => unknown,
): Parser {
  const inputOf = (input: string): Input => ({ input, read: () => read(input) });
  return {
    name,
    async open() {
      const known = await seeds();
      return {
        genuine: known.map(inputOf),
        draw: (random) => inputOf(mutate(random.pick('', ...known), random)),
      };
    },
  };
}
