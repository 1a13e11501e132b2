// The flags and words of one command: argv → values, or a sentence that says what was expected.
import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

export interface FlagSpec {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  /** May be given more than once. */
  readonly multiple?: true;
}
export type FlagSpecs = Readonly<Record<string, FlagSpec>>;

/** What every command that talks to a gateway understands. */
export const GATEWAY_FLAGS = {
  url: { type: 'string' },
  'token-file': { type: 'string' },
  'state-dir': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies FlagSpecs;

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
}

/** Nothing that is typed can hold it. */
const MARK = '\0';

/** Flags may stand anywhere. Throws UsageError. */
export function parseWords(argv: readonly string[], specs: FlagSpecs): Arguments {
  // One key in 64 begins with a dash, and nobody who copies it should have to think of that.
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const isKey = (arg: string, at: number): boolean =>
    at < end && isDashedKey(arg, specs) && !takesNext(argv[at - 1] ?? '', specs);
  return parse(
    argv.map((arg, at) => (isKey(arg, at) ? `${MARK}${arg}` : arg)),
    specs,
  );
}

/** Flags end where the command line begins: everything from there on is the command's own. Throws UsageError. */
export function parseCommandLine(argv: readonly string[], specs: FlagSpecs): Arguments {
  for (let at = 0; at < argv.length; at += 1) {
    const arg = argv[at] ?? '';
    if (arg === '--') return parse(argv, specs);
    if (!arg.startsWith('-') || arg === '-') {
      return parse([...argv.slice(0, at), '--', ...argv.slice(at)], specs);
    }
    if (takesNext(arg, specs)) at += 1;
  }
  return parse(argv, specs);
}

/** As much of a key as is shown is longer than flags that are joined; less of one must not look like them. */
const isDashedKey = (arg: string, specs: FlagSpecs): boolean =>
  /^-\w[\w-]{6,}$/.test(arg) ||
  (/^-\w[\w-]{2,}$/.test(arg) && !Object.values(specs).some(({ short }) => short === arg[1]));

function takesNext(arg: string, specs: FlagSpecs): boolean {
  const spec = arg.startsWith('--')
    ? specs[arg.slice(2)]
    : Object.values(specs).find(({ short }) => arg === `-${short ?? ''}`);
  return spec?.type === 'string';
}

function parse(argv: readonly string[], specs: FlagSpecs): Arguments {
  const { values, positionals, tokens } = strictly(argv, specs);
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (token.value === '') throw new UsageError(`${token.rawName}: expected a value`);
    if (given.has(token.name) && !specs[token.name]?.multiple) {
      throw new UsageError(`${token.rawName} was given twice`);
    }
    given.add(token.name);
  }
  return new Arguments(
    values,
    positionals.map((word) => word.replace(MARK, '')),
  );
}

function strictly(argv: readonly string[], specs: FlagSpecs) {
  try {
    return parseArgs({
      args: [...argv],
      options: { ...specs },
      strict: true,
      allowPositionals: true,
      tokens: true,
    });
  } catch (cause) {
    // Node adds advice about positional arguments that begin with a dash.
    const [sentence = ''] = (cause as Error).message.split(/\. |\n/);
    throw new UsageError(sentence, { cause });
  }
}
