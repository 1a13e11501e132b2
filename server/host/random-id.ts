// Ids that the gateway generates: they cannot be guessed, and can be copied to a command line.
import { randomBytes } from 'node:crypto';

/** Returns `bytes` random bytes as base64url; never with a leading dash, which a command line takes for a flag. */
export function randomId(bytes: number): string {
  const id = randomBytes(bytes).toString('base64url');
  return id.startsWith('-') ? `_${id.slice(1)}` : id;
}
