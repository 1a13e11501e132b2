// The names that a gateway gives by itself: nobody guesses them, and anybody can copy them to a command line.
import { randomBytes } from 'node:crypto';

/** So many random bytes as base64url; never with a dash at first, which a command line takes for a flag. */
export function randomId(bytes: number): string {
  const id = randomBytes(bytes).toString('base64url');
  return id.startsWith('-') ? `_${id.slice(1)}` : id;
}
