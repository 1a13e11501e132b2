// Environment variables as a person types them: `NAME=value`, one per line; problems are reported by line number.
import { numberText } from '../../../text/amounts.ts';

/** Maximum size of `NAME=value` with its final NUL that Linux accepts (MAX_ARG_STRLEN). */
const LONGEST_BYTES = 128 * 1024;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

interface Variables {
  readonly variables: Readonly<Record<string, string>>;
  /** Problems in words, one per invalid line. They never contain a value, which may be a secret. */
  readonly problems: readonly string[];
}

/** Parses variables. Empty lines, lines starting with `#`, and a pasted `export` before a name are ignored. */
export function parseVariables(text: string): Variables {
  const variables = new Map<string, string>();
  const problems: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trimStart().replace(/^export\s+/, '');
    if (line === '' || line.startsWith('#')) continue;
    const at = line.indexOf('=');
    const name = at === -1 ? line : line.slice(0, at).trimEnd();
    const value = line.slice(at + 1);
    const wrong = (why: string): void => void problems.push(`Line ${index + 1}: ${why}`);
    if (at === -1) wrong('there is no “=” between a name and a value.');
    else if (name === '') wrong('there is no name before the “=”.');
    else if (!NAME.test(name)) {
      wrong('the name may contain only letters, digits and “_”, and must not start with a digit.');
    } else if (variables.has(name)) wrong(`${name} is set twice.`);
    else if (value.includes('\0')) wrong(`the value of ${name} contains a NUL character.`);
    else if (bytesOf(`${name}=${value}`) >= LONGEST_BYTES) {
      const most = numberText(LONGEST_BYTES - 1);
      wrong(`the value of ${name} is too long: Linux accepts at most ${most} bytes of NAME=value.`);
    } else variables.set(name, value);
  }
  return { variables: Object.fromEntries(variables), problems };
}

/** Returns the names of the valid variables. */
export const variableNames = (text: string): readonly string[] => Object.keys(parseVariables(text).variables);

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
