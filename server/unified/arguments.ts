// Parses arguments of the tools as leniently as Codex does, and reports errors in Codex's words.
import { Failed } from './failed.ts';
import { cutTo } from '../../text/cut.ts';

/** Thrown for invalid arguments; the message is the whole answer. */
class WrongArguments extends Failed {
  constructor(why: string) {
    super(`failed to parse function arguments: ${why}`);
  }
}

type Type = 'string' | 'boolean' | 'u64' | 'usize' | 'i32' | 'a sequence';

const EXPECTED: { readonly [type in Type]: string } = {
  string: 'a string',
  boolean: 'a boolean',
  u64: 'u64',
  usize: 'usize',
  i32: 'i32',
  'a sequence': 'a sequence',
};

const INTEGERS: { readonly [type in Type]?: readonly [least: number, most: number] } = {
  u64: [0, 2 ** 64],
  usize: [0, 2 ** 64],
  i32: [-(2 ** 31), 2 ** 31 - 1],
};
/** JSON integers of this size and above count as floating point, as in Codex. */
const LARGEST_INTEGER = 2 ** 64;
const LONGEST_SHOWN = 200;

/** Arguments of one call; unknown members are ignored. */
export class Arguments {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: unknown) {
    if (typeof (values ?? {}) !== 'object' || Array.isArray(values))
      throw new WrongArguments(`invalid type: ${named(values)}, expected a map`);
    this.#values = (values ?? {}) as Readonly<Record<string, unknown>>;
  }

  text(name: string): string {
    return this.#required(name, 'string') as string;
  }

  /** Returns null when the argument is absent or null. */
  textOrNull(name: string): string | null {
    return (this.#value(name, 'string', true) ?? null) as string | null;
  }

  textOr(name: string, otherwise: string): string {
    return (this.#value(name, 'string') ?? otherwise) as string;
  }

  flag(name: string, otherwise: boolean, mayBeNull = false): boolean {
    return (this.#value(name, 'boolean', mayBeNull) ?? otherwise) as boolean;
  }

  sessionId(): number {
    return this.#required('session_id', 'i32') as number;
  }

  ms(name: string, otherwise: number): number {
    return (this.#value(name, 'u64') ?? otherwise) as number;
  }

  /** Returns null when the argument is absent or null. */
  countOrNull(name: string): number | null {
    return (this.#value(name, 'usize', true) ?? null) as number | null;
  }

  texts(name: string): readonly string[] {
    const values = (this.#value(name, 'a sequence', true) ?? []) as readonly unknown[];
    return values.map((value) => checked(value, 'string') as string);
  }

  oneOf<T extends string>(name: string, variants: readonly T[], otherwise: T): T {
    const value = (this.#value(name, 'string', true) ?? otherwise) as string;
    const found = variants.find((variant) => variant === value);
    if (found !== undefined) return found;
    const all = variants.map((variant) => `\`${variant}\``).join(', ');
    throw new WrongArguments(`unknown variant \`${shown(value)}\`, expected one of ${all}`);
  }

  #required(name: string, type: Type): unknown {
    if (!Object.hasOwn(this.#values, name) || this.#values[name] === undefined)
      throw new WrongArguments(`missing field \`${name}\``);
    return checked(this.#values[name], type);
  }

  #value(name: string, type: Type, mayBeNull = false): unknown {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
    if (value === undefined || (value === null && mayBeNull)) return undefined;
    return checked(value, type);
  }
}

function checked(value: unknown, type: Type): unknown {
  const range = INTEGERS[type];
  const isRight = range
    ? isInteger(value)
    : type === 'a sequence'
      ? Array.isArray(value)
      : typeof value === type;
  if (!isRight) throw new WrongArguments(`invalid type: ${named(value)}, expected ${EXPECTED[type]}`);
  if (range && ((value as number) < range[0] || (value as number) > range[1]))
    throw new WrongArguments(`invalid value: ${named(value)}, expected ${EXPECTED[type]}`);
  return value;
}

const isInteger = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) < LARGEST_INTEGER;

function named(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'sequence';
  if (typeof value === 'string') return `string ${JSON.stringify(shown(value))}`;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (typeof value === 'number') return `${isInteger(value) ? 'integer' : 'floating point'} \`${value}\``;
  return 'map';
}

const shown = (text: string): string => cutTo(text, LONGEST_SHOWN);
