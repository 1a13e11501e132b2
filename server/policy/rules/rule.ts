// The three kinds of rules, and how they match the words of a command or a host.
import { basename, dirname, isAbsolute } from 'node:path';
import type { RuleDecision } from '../../../protocol/rules.ts';
import { unmappedAddress } from '../../../text/mapped-ipv4.ts';
import { mayBe, WILD } from './shielded.ts';

/** Decisions in ascending order of strictness. */
export const DECISIONS = ['allow', 'prompt', 'forbidden'] as const satisfies readonly RuleDecision[];

export interface Place {
  readonly file: string;
  /** Line number from 1. */
  readonly line: number;
}

export interface PrefixRule extends Place {
  /** Alternatives for each word. */
  readonly pattern: readonly (readonly string[])[];
  readonly decision: RuleDecision;
  readonly justification: string | null;
}

/** Paths at which an allowing rule for this bare name matches, instead of any path in a trusted folder. */
export interface HostExecutable {
  readonly name: string;
  readonly paths: readonly string[];
}

export interface NetworkRule extends Place {
  readonly host: string;
  readonly protocol: string;
  readonly decision: RuleDecision;
  readonly justification: string | null;
}

export interface Rules {
  readonly prefixes: readonly PrefixRule[];
  readonly executables: readonly HostExecutable[];
  readonly networks: readonly NetworkRule[];
}

export const NO_RULES: Rules = { prefixes: [], executables: [], networks: [] };

export const together = (all: readonly Rules[]): Rules => ({
  prefixes: all.flatMap(({ prefixes }) => prefixes),
  executables: all.flatMap(({ executables }) => executables),
  networks: all.flatMap(({ networks }) => networks),
});

const isStricter = (one: RuleDecision, other: RuleDecision): boolean =>
  DECISIONS.indexOf(one) > DECISIONS.indexOf(other);

/** Returns the strictest decision; null for an empty list. */
export const strictest = (decisions: readonly RuleDecision[]): RuleDecision | null =>
  decisions.reduce<RuleDecision | null>(
    (most, each) => (most === null || isStricter(each, most) ? each : most),
    null,
  );

/** Returns a prefix rule as one line of the rule language, without its justification. */
export function ruleText({ pattern, decision }: Pick<PrefixRule, 'pattern' | 'decision'>): string {
  const words = pattern.map((alternatives) =>
    alternatives.length === 1 ? quoted(alternatives[0] ?? '') : `[${alternatives.map(quoted).join(', ')}]`,
  );
  return `prefix_rule(pattern=[${words.join(', ')}], decision=${quoted(decision)})`;
}

const quoted = (text: string): string => JSON.stringify(text);

const SYSTEM_FOLDERS = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/opt/homebrew/bin',
];

/**
 * Returns the folders whose programs are trusted: the system's, and the absolute ones in the gateway's own
 * PATH.
 */
export function trustedFolders(path: string | undefined): ReadonlySet<string> {
  const own = (path ?? '').split(':').filter(isAbsolute);
  return new Set([...SYSTEM_FOLDERS, ...own].map(withoutSlash));
}

export const withoutSlash = (folder: string): string => folder.replace(/(?<=.)\/+$/, '');

export class RuleSet {
  readonly #rules: Rules;
  readonly #trusted: ReadonlySet<string>;
  /** Rules by the program's name without its folder. */
  readonly #byProgram = new Map<string, Set<PrefixRule>>();

  /** `path` is the gateway's own PATH. */
  constructor(rules: Rules, path: string | undefined) {
    this.#rules = rules;
    this.#trusted = trustedFolders(path);
    for (const rule of rules.prefixes) {
      for (const program of rule.pattern[0] ?? []) {
        const name = basename(program);
        const known = this.#byProgram.get(name);
        if (known) known.add(rule);
        else this.#byProgram.set(name, new Set([rule]));
      }
    }
  }

  /** True when a rule requires approval of commands, or forbids them. */
  get restricts(): boolean {
    return this.#rules.prefixes.some(({ decision }) => decision !== 'allow');
  }

  get forbids(): boolean {
    return this.forbidsCommands || this.forbidsHosts;
  }

  get forbidsCommands(): boolean {
    return this.#rules.prefixes.some(({ decision }) => decision === 'forbidden');
  }

  get forbidsHosts(): boolean {
    return this.#rules.networks.some(({ decision }) => decision === 'forbidden');
  }

  matching(words: readonly string[]): readonly PrefixRule[] {
    const [program = ''] = words;
    const rules = program.includes(WILD) ? this.#rules.prefixes : this.#byProgram.get(basename(program));
    return [...(rules ?? [])].filter(
      ({ pattern, decision }) =>
        words.length >= pattern.length &&
        pattern.every((alternatives, at) => {
          const word = words[at] ?? '';
          if (at === 0) return alternatives.some((name) => this.#isProgram(program, name, decision));
          return alternatives.some((each) => (decision === 'allow' ? word === each : mayBe(word, each)));
        }),
    );
  }

  /**
   * Returns true for a bare name and for a path that `host_executable` lists or, when it lists none for the name, a
   * path in a trusted folder.
   */
  isTrusted(program: string): boolean {
    if (!program.includes('/')) return true;
    if (!isAbsolute(program)) return false;
    const known = this.#rules.executables.filter(({ name }) => name === basename(program));
    if (known.length > 0) return known.some(({ paths }) => paths.includes(program));
    return this.#trusted.has(dirname(program));
  }

  /** Returns the first of the strictest rules about a host and protocol; null when there is none. */
  about(host: string, protocol: string): NetworkRule | null {
    const found = this.#rules.networks.filter(
      (rule) => rule.protocol === protocol && matchesHost(rule.host, host),
    );
    const decision = strictest(found.map((rule) => rule.decision));
    return found.find((rule) => rule.decision === decision) ?? null;
  }

  /**
   * Matches a program by name: a restricting rule matches it at any path, an allowing one only as the rule
   * writes it or at a trusted path.
   */
  #isProgram(program: string, name: string, decision: RuleDecision): boolean {
    if (program === name) return true;
    if (decision !== 'allow') return mayBe(basename(program), basename(name));
    return !name.includes('/') && basename(program) === name && this.isTrusted(program);
  }
}

/** Returns true when the pattern matches the host, however it is spelled; `*.example.com` matches every subdomain. */
function matchesHost(pattern: string, host: string): boolean {
  const given = canonicalHost(host);
  // The wildcard is replaced by `x`, because the rest alone, such as `0.0.1`, could be parsed as an IP address.
  return pattern.startsWith('*.')
    ? given.endsWith(canonicalHost(`x${pattern.slice(1)}`).slice(1))
    : given === canonicalHost(pattern);
}

/** Returns the canonical form of a name or address: in lower case, IPv6 in brackets, IPv4-mapped IPv6 as IPv4. */
function canonicalHost(host: string): string {
  const text = `http://${host.includes(':') ? `[${host}]` : host.replace(/\.$/, '')}`;
  const name = URL.canParse(text) ? new URL(text).hostname : host.toLowerCase();
  const address = name.startsWith('[') ? unmappedAddress(name.slice(1, -1)) : name;
  return address.includes(':') ? name : address;
}
