// File with a token, named by the operator.
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { isOwn } from '../host/account.ts';

/** Minimum length; 32 hexadecimal digits are 128 bits, and a shorter token could be guessed. */
const FEWEST_CHARACTERS = 32;

/** Returns the token in the file, without a final newline; creates a missing file for its owner only. */
export function readTokenFile(path: string): string {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw describe(path, error);
    content = randomBytes(32).toString('base64url');
    try {
      writeFileSync(path, `${content}\n`, { mode: 0o600, flag: 'wx' });
    } catch (cause) {
      throw describe(path, cause);
    }
  }
  const token = content.replace(/\r?\n$/, '');
  if (token === '') throw new Error(`the token file ${path} is empty`);
  if (!/^[!-~]+$/.test(token) || token.length < FEWEST_CHARACTERS) {
    throw new Error(
      `the token file ${path} does not contain a token of at least ${FEWEST_CHARACTERS} characters without spaces; remove it to create a new one`,
    );
  }
  checkOwner(path);
  return token;
}

/** Throws unless the file is private, because its reader would be an operator, and its writer could create one. */
function checkOwner(path: string): void {
  const found = statSync(path);
  const { mode } = found;
  if (!isOwn(found)) throw new Error(`the token file ${path} belongs to another user`);
  if ((mode & 0o077) !== 0) {
    throw new Error(
      `the token file ${path} is accessible to other users (mode ${(mode & 0o777).toString(8)}); run: chmod 600 ${path}`,
    );
  }
}

const describe = (path: string, cause: unknown): Error =>
  new Error(`cannot use the token file ${path}: ${(cause as Error).message}`, { cause });
