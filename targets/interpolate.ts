import type { Secret } from '../core/target.ts';

/** The part of an environment that a target file may read. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type Interpolated = {
  readonly value: string;
  /** The variables that the text was made of, with their values. Defaults are not among them. */
  readonly read: readonly Secret[];
  readonly problems: readonly string[];
  /** The variable, if the whole text is one reference. */
  readonly variable?: string;
};

const referencePattern = /\$\$\{|\$\{([^}]*)\}?/g;
const insidePattern = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([^]*))?$/;

/**
 * Replaces `${NAME}` with the variable, and `${NAME:-default}` with the default if the variable is unset or empty, like a
 * shell. `$${` stands for `${`. Values are not interpolated again.
 */
export function interpolate(text: string, environment: Environment): Interpolated {
  const problems: string[] = [];
  const variables: string[] = [];
  const read: Secret[] = [];
  const value = text.replaceAll(referencePattern, (reference: string, inside: string | undefined) => {
    if (inside === undefined) return '${';
    const [, name, fallback] = reference.endsWith('}') ? (insidePattern.exec(inside) ?? []) : [];
    if (name === undefined) {
      problems.push('this "${" begins no valid reference; write ${NAME} or ${NAME:-default}, or $${ for a literal ${');
      return '';
    }
    variables.push(name);
    const set = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (fallback !== undefined && (set === undefined || set === '')) return fallback;
    if (set === undefined) {
      problems.push(`the environment variable ${name} is not set; set it, or write \${${name}:-} to make it optional`);
    }
    if (set !== undefined && set !== '') read.push({ key: set, variable: `$${name}` });
    return set ?? '';
  });
  const [variable] = variables;
  const isWhole = variables.length === 1 && /^\$\{[^}]*\}$/.test(text);
  return { value, problems, read, ...(isWhole && variable !== undefined ? { variable } : {}) };
}
