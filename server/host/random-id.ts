// Ids that the gateway generates: unguessable, and safe on a command line.
import { randomBytes } from 'node:crypto';

/** Returns `bytes` random bytes as base64url, never with a leading dash, which would look like a flag. */
export function randomId(bytes: number): string {
  const id = randomBytes(bytes).toString('base64url');
  return id.startsWith('-') ? `_${id.slice(1)}` : id;
}
