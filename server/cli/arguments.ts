// Parses the flags and words of a command; errors name the expected form.
import { parseArgs } from 'node:util';
import { suggestion } from './near-miss.ts';
import { UsageError } from './usage-error.ts';

interface FlagSyntax {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  readonly multiple?: true;
}
type Syntax = Readonly<Record<string, FlagSyntax>>;

export interface FlagSpec extends FlagSyntax {
  /** Description for `--help`, with the default. */
  readonly about: string;
  /** Placeholder of the flag's value in `--help`, such as `PATH`. */
  readonly value?: string;
  /** Kind of value for shell completion; none if omitted. */
  readonly completes?: 'file' | 'folder' | readonly string[];
}
export type FlagSpecs = Readonly<Record<string, FlagSpec>>;

export const HELP_FLAG = {
  help: { type: 'boolean', short: 'h', about: 'Print this help' },
} as const satisfies FlagSpecs;

/** Flags of all commands that connect to a gateway. */
export const GATEWAY_FLAGS = {
  url: {
    type: 'string',
    value: 'URL',
    about: "Address of the gateway (default: $EXEC_CONSOLE_URL, or this user's running gateway)",
  },
  'token-file': {
    type: 'string',
    value: 'PATH',
    about: 'File with a token for that gateway (default: the token in $EXEC_CONSOLE_TOKEN)',
    completes: 'file',
  },
  'state-dir': {
    type: 'string',
    value: 'PATH',
    about:
      'State folder of a gateway on this machine (default: $XDG_STATE_HOME/exec-console or ~/.local/state/exec-console)',
    completes: 'folder',
  },
  ...HELP_FLAG,
} as const satisfies FlagSpecs;

export const ADDRESS_FLAGS = [
  'url',
  'token-file',
  'state-dir',
] as const satisfies readonly (keyof typeof GATEWAY_FLAGS)[];

export class Arguments {
  readonly words: readonly string[];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>, words: readonly string[]) {
    this.#values = values;
    this.words = words;
  }

  has(name: string): boolean {
    return this.#values[name] === true;
  }

  text(name: string): string | null {
    const value = this.#values[name];
    return typeof value === 'string' ? value : null;
  }

  texts(name: string): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** Throws UsageError for a flag that `act`, such as `history rm`, would ignore; `used`: the flags of `act`. */
  allowOnly(act: string, used: readonly string[]): void {
    const ignored = Object.keys(this.#values).find((name) => !used.includes(name));
    if (ignored === undefined) return;
    const flags = new Intl.ListFormat('en').format(used.map((name) => `--${name}`));
    throw new UsageError(`${act} has no flag --${ignored}, only ${flags}`);
  }

  /** Throws UsageError when both flags are set, because one of them would be ignored. */
  refuseBoth(one: string, other: string): void {
    const isGiven = (name: string): boolean => this.#values[name] !== undefined;
    if (isGiven(one) && isGiven(other)) throw new UsageError(`use either --${one} or --${other}, not both`);
  }
}

/**
 * Parses flags up to the start of another command line, which is left as it is. `command`: the name of the command in
 * errors. Throws UsageError.
 */
export function parseCommandLine(argv: readonly string[], specs: Syntax, command?: string): Arguments {
  for (let at = 0; at < argv.length; at += 1) {
    const arg = argv[at] ?? '';
    if (arg === '--') return parseWords(argv, specs, command);
    if (!arg.startsWith('-') || arg === '-') {
      return parseWords([...argv.slice(0, at), '--', ...argv.slice(at)], specs, command);
    }
    if (takesNext(arg, specs)) at += 1;
  }
  return parseWords(argv, specs, command);
}

/** Parses the known long flags at the beginning; all arguments after them, or after a `--` there, are words. */
export function parseLeading(argv: readonly string[], specs: Syntax, command?: string): Arguments {
  for (let at = 0; at < argv.length; at += 1) {
    const arg = argv[at] ?? '';
    const [name = ''] = arg.split('=');
    const isKnown = arg.startsWith('--') && Object.hasOwn(specs, name.slice(2));
    if (arg === '--' || !isKnown) {
      return parseWords(
        [...argv.slice(0, at), '--', ...argv.slice(arg === '--' ? at + 1 : at)],
        specs,
        command,
      );
    }
    if (takesNext(arg, specs)) at += 1;
  }
  return parseWords(argv, specs, command);
}

function takesNext(arg: string, specs: Syntax): boolean {
  const spec = arg.startsWith('--')
    ? specs[arg.slice(2)]
    : Object.values(specs).find(({ short }) => arg === `-${short ?? ''}`);
  return spec?.type === 'string';
}

/** Parses flags at any position. Throws UsageError. */
export function parseWords(argv: readonly string[], specs: Syntax, command?: string): Arguments {
  const { values, positionals, tokens } = strictly(argv, specs, command);
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (token.value === '') throw new UsageError(`${token.rawName} needs a value`);
    if (given.has(token.name) && !specs[token.name]?.multiple) {
      throw new UsageError(`${token.rawName} was given twice`);
    }
    given.add(token.name);
  }
  return new Arguments(values, positionals);
}

function strictly(argv: readonly string[], specs: Syntax, command: string | undefined) {
  try {
    return parseArgs({
      args: joinNegative(argv, specs),
      options: { ...specs },
      strict: true,
      allowPositionals: true,
      tokens: true,
    });
  } catch (cause) {
    throw new UsageError(whyNot(cause as Error, specs, command), { cause });
  }
}

/**
 * Joins a negative number to its flag: Node would parse a separate one as flags, and report that the value is
 * missing.
 */
export function joinNegative(argv: readonly string[], specs: Syntax): string[] {
  const joined: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const arg = argv[at] ?? '';
    const next = argv[at + 1] ?? '';
    if (arg === '--') return [...joined, ...argv.slice(at)];
    if (takesNext(arg, specs) && /^-\d/.test(next)) {
      joined.push(arg.startsWith('--') ? `${arg}=${next}` : `${arg}${next}`);
      at += 1;
    } else joined.push(arg);
  }
  return joined;
}

/** Returns a message for people that describes an error of Node's parser. */
export function whyNot({ message }: Error, specs: Syntax, command = 'this command'): string {
  const [, unknown] = /^Unknown option '(--?[^']*)'/.exec(message) ?? [];
  if (unknown !== undefined) {
    const options = Object.keys(specs).map((name) => `--${name}`);
    return `${command} has no flag ${unknown}${suggestion(unknown, options)}`;
  }
  const [, unexpected] = /^Unexpected argument '(.*)'\. /s.exec(message) ?? [];
  if (unexpected !== undefined) return `unexpected argument "${unexpected}": ${command} takes only flags`;
  const [, name = ''] = /^Option '(?:-\w, )?--([\w-]+)/.exec(message) ?? [];
  const spec = specs[name];
  if (spec?.type === 'boolean') return `--${name} takes no value`;
  if (spec) return `--${name} needs a value${formOf(spec)}`;
  // Node adds advice about positional arguments that begin with a dash; it is removed.
  const [sentence = ''] = message.split(/\. |\n/);
  return sentence;
}

function formOf({ value, completes }: FlagSyntax & Partial<FlagSpec>): string {
  const form = Array.isArray(completes)
    ? new Intl.ListFormat('en', { type: 'disjunction' }).format(completes)
    : value;
  return form === undefined ? '' : `: ${form}`;
}
