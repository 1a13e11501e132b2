// Computes the environment of a child from a policy, in the reference's six steps.
import type { EnvironmentPolicy } from '../../protocol/process.ts';
import { matchesWildcard } from '../../text/wildcard.ts';

export interface EnvironmentRequest {
  /** Variables that are set last, override all others, and are never filtered. */
  readonly env: Readonly<Record<string, string>>;
  /** Policy for inherited variables; null: the child has exactly `env`, and SHELL on a terminal. */
  readonly envPolicy: EnvironmentPolicy | null;
  readonly tty: boolean;
  /** Environment of the gateway. */
  readonly own: Readonly<Record<string, string | undefined>>;
  readonly loginShell: string;
}

const CORE = new Set([
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TEMP',
  'TMP',
  'TMPDIR',
  'USER',
]);
const DEFAULT_EXCLUDES = ['*KEY*', '*SECRET*', '*TOKEN*'];

/** Prefix of the gateway's variables, which no child inherits. */
const OWN_PREFIX = 'EXEC_CONSOLE_';

/** Variables that may contain a gateway's URL with a token, which grants access. */
const URLS: readonly string[] = ['CODEX_EXEC_SERVER_URL', 'EXEC_CONSOLE_URL'];

const hasProof = ([name, value = '']: readonly [string, string | undefined]): boolean =>
  URLS.includes(name) ? /[?&]token=/.test(value) : name === 'EXEC_CONSOLE_TOKEN' && value !== '';

/** Returns the names of the gateway's variables with tokens, which the system shows to all processes of its user. */
export const proofsIn = (own: EnvironmentRequest['own']): string[] =>
  Object.entries(own).flatMap((entry) => (hasProof(entry) ? entry[0] : []));

export function childEnvironment({
  env,
  envPolicy,
  tty,
  own,
  loginShell,
}: EnvironmentRequest): Record<string, string> {
  const base = envPolicy ? fromPolicy(envPolicy, own) : {};
  const result = { ...base, ...env };
  // The reference adds the login shell to a terminal's environment when there is no policy.
  if (tty && !envPolicy) result['SHELL'] ??= loginShell;
  return result;
}

function fromPolicy(policy: EnvironmentPolicy, own: EnvironmentRequest['own']): Record<string, string> {
  const excludes = matcher([...(policy.ignoreDefaultExcludes ? [] : DEFAULT_EXCLUDES), ...policy.exclude]);
  const inherited = Object.entries(own).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      !entry[0].startsWith(OWN_PREFIX) &&
      !hasProof(entry) &&
      (policy.inherit === 'all' || (policy.inherit === 'core' && CORE.has(entry[0]))) &&
      !excludes(entry[0]),
  );
  const all = [...inherited, ...Object.entries(policy.set)];
  if (policy.includeOnly.length === 0) return Object.fromEntries(all);
  const includes = matcher(policy.includeOnly);
  return Object.fromEntries(all.filter(([name]) => includes(name)));
}

/** Returns a function that tests whether a whole name matches one of the patterns, ignoring case. */
function matcher(patterns: readonly string[]): (name: string) => boolean {
  const lowered = patterns.map((pattern) => pattern.toLowerCase());
  return (name) => {
    const lowerName = name.toLowerCase();
    return lowered.some((pattern) => matchesWildcard(pattern, lowerName));
  };
}

/**
 * Returns an upper bound on the steps of matching the requested patterns: each character of each pattern
 * times each character of each name.
 */
export function policySteps(policy: EnvironmentPolicy, own: EnvironmentRequest['own']): number {
  const charsIn = (texts: readonly string[]): number =>
    texts.reduce((sum, { length }) => sum + length + 1, 0);
  const patterns = charsIn([...policy.exclude, ...policy.includeOnly]);
  return patterns * charsIn([...Object.keys(own), ...Object.keys(policy.set)]);
}
