// Commands that are asked about although no rule names them: they remove without asking themselves.
import { basename } from 'node:path';

/** `rm` with a force flag. */
export function isDangerous([program = '', ...rest]: readonly string[]): boolean {
  if (basename(program) !== 'rm') return false;
  const end = rest.indexOf('--');
  const flags = end === -1 ? rest : rest.slice(0, end);
  return flags.some((flag) => /^-[A-Za-z]*f/.test(flag) || (flag.length >= 3 && '--force'.startsWith(flag)));
}
