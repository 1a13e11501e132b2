// Passes a command's variables into its sandbox. Many (LD_PRELOAD, PERL5OPT, PS4 …) make a program run code, and the
// programs that lead into the sandbox run outside it, so the variables get names that no program recognizes.
type Variables = Readonly<Record<string, string>>;

/** Linux's limit for one argument. */
const LONGEST_STRING = 128 * 1024 - 1;

const carrierOf = (index: number): string => `V${index}`;

/** Returns the variables for the programs that lead into the sandbox. */
export const carried = (env: Variables): Record<string, string> =>
  Object.fromEntries(Object.values(env).map((value, index) => [carrierOf(index), value]));

/**
 * Returns options of env(1), to be followed by variables and a program, which receives exactly `env`; env itself
 * receives the `carried` variables. The arguments, which are visible to all users, contain no value. Throws when
 * the names are too long for one argument.
 */
export function unpacking(env: Variables): string[] {
  const words = Object.keys(env).map((name, index) => `${quoted(`${name}=`)}\${${carrierOf(index)}}`);
  const script = ['--', ...words].join(' ');
  if (Buffer.byteLength(script) > LONGEST_STRING - '-S'.length) {
    throw new Error('its variable names are too long for a sandbox');
  }
  return ['-i', `-S${script}`];
}

/** Quotes for `env -S`, in which a backslash before another character is literal. */
const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
