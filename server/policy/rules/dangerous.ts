// Commands that need approval even without a rule, because they delete without confirmation.
import { basename } from 'node:path';
import { mayBe } from './shielded.ts';

/** Returns true for `rm`, or a wildcard that may be `rm`, with a force flag. */
export function isDangerous([program = '', ...rest]: readonly string[]): boolean {
  if (!mayBe(basename(program), 'rm')) return false;
  const end = rest.indexOf('--');
  const flags = end === -1 ? rest : rest.slice(0, end);
  return flags.some((flag) => /^-[A-Za-z]*f/.test(flag) || (flag.length >= 3 && '--force'.startsWith(flag)));
}
