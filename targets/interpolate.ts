/** The part of an environment that a target file may read. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type Interpolated = {
  readonly value: string;
  /** What is wrong with the references, in words. */
  readonly problems: readonly string[];
  /** The one variable that the whole text is a reference to. */
  readonly variable?: string;
};

const referencePattern = /\$\$\{|\$\{([^}]*)\}?/g;
const insidePattern = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([^]*))?$/;

/**
 * Replaces `${NAME}` by the variable and `${NAME:-default}` by the default where the variable is unset or empty, as a
 * shell does. `$${` is a plain `${`. What comes out is not looked at again.
 */
export function interpolate(text: string, environment: Environment): Interpolated {
  const problems: string[] = [];
  const variables: string[] = [];
  const value = text.replaceAll(referencePattern, (reference: string, inside: string | undefined) => {
    if (inside === undefined) return '${';
    const [, name, fallback] = reference.endsWith('}') ? (insidePattern.exec(inside) ?? []) : [];
    if (name === undefined) {
      problems.push(
        'a "${" begins no reference; write ${NAME} or ${NAME:-default}, or $${ for the characters themselves',
      );
      return '';
    }
    variables.push(name);
    const set = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (fallback !== undefined) return set === undefined || set === '' ? fallback : set;
    if (set === undefined) {
      problems.push(`the environment variable ${name} is not set; set it, or write \${${name}:-} to do without it`);
    }
    return set ?? '';
  });
  const [variable] = variables;
  const isWhole = variables.length === 1 && /^\$\{[^}]*\}$/.test(text);
  return { value, problems, ...(isWhole && variable !== undefined ? { variable } : {}) };
}
