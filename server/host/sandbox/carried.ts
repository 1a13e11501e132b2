// A command's variables on their way into its sandbox. Many of them (LD_PRELOAD, PERL5OPT, PS4 …) say what the program that
// finds them is to run, and what leads into the sandbox is not inside yet: so they go by names that nobody knows.
type Variables = Readonly<Record<string, string>>;

/** Linux's limit for one argument. */
const LONGEST_STRING = 128 * 1024 - 1;

const carrierOf = (index: number): string => `V${index}`;

/** What is given to the programs that lead into the sandbox. */
export const carried = (env: Variables): Record<string, string> =>
  Object.fromEntries(Object.values(env).map((value, index) => [carrierOf(index), value]));

/**
 * Options of env(1), after which come variables and a program: it finds exactly `env`, where this one finds what is
 * `carried`. No value is among the arguments, which everybody can see. Throws when the names are too long for one.
 */
export function unpacking(env: Variables): string[] {
  const words = Object.keys(env).map((name, index) => `${quoted(`${name}=`)}\${${carrierOf(index)}}`);
  const script = ['--', ...words].join(' ');
  if (Buffer.byteLength(script) > LONGEST_STRING - '-S'.length) {
    throw new Error('the names of its variables are too long for a sandbox');
  }
  return ['-i', `-S${script}`];
}

/** For env -S, where a backslash before another character stands for itself. */
const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
