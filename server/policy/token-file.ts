// Reads or creates the token file that the operator names, and checks that it is private.
import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, rmSync, writeFileSync, type Stats } from 'node:fs';
import { isOwn } from '../host/account.ts';

/** Minimum length; 32 hexadecimal digits are 128 bits, and a shorter token could be guessed. */
const FEWEST_CHARACTERS = 32;

/**
 * Returns the token in the file, without a final newline; creates a missing file for its owner only. Throws when
 * the file is not private, or has no valid token.
 */
export function readTokenFile(path: string): string {
  const { content, stat } = contentOf(path) ?? create(path);
  const token = content.replace(/\r?\n$/, '');
  if (token === '') throw new Error(`the token file ${path} is empty; remove it to create a new one`);
  if (!/^[!-~]+$/.test(token) || token.length < FEWEST_CHARACTERS) {
    throw new Error(
      `the token file ${path} does not contain a token of at least ${FEWEST_CHARACTERS} characters without spaces; remove it to create a new one`,
    );
  }
  checkOwner(path, stat);
  return token;
}

interface Opened {
  readonly content: string;
  /** Stats of the opened file, since its path may lead to another one by now. */
  readonly stat: Stats;
}

function contentOf(path: string): Opened | null {
  try {
    return withHandle(path, 'r', (handle) => readFileSync(handle, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw describe(path, error);
    return null;
  }
}

function create(path: string): Opened {
  const content = randomBytes(32).toString('base64url');
  try {
    return withHandle(path, 'wx', (handle) => {
      try {
        writeFileSync(handle, `${content}\n`);
      } catch (error) {
        // The next start would find an incomplete token.
        rmSync(path);
        throw error;
      }
      return content;
    });
  } catch (cause) {
    throw describe(path, cause);
  }
}

function withHandle(path: string, flags: 'r' | 'wx', content: (handle: number) => string): Opened {
  const handle = openSync(path, flags, 0o600);
  try {
    return { content: content(handle), stat: fstatSync(handle) };
  } finally {
    closeSync(handle);
  }
}

/**
 * Throws unless the file is private: a user who can read it gets an operator's rights, and one who can write
 * it can choose the token.
 */
function checkOwner(path: string, found: Stats): void {
  const { mode } = found;
  if (!isOwn(found)) throw new Error(`the token file ${path} belongs to another user; name another file`);
  if ((mode & 0o077) !== 0) {
    throw new Error(
      `the token file ${path} is accessible to other users (mode ${(mode & 0o777).toString(8)}); run: chmod 600 ${path}`,
    );
  }
}

function describe(path: string, cause: unknown): Error {
  const { code, message } = cause as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    EISDIR: 'it is a folder; name a file',
    ENOENT: 'its folder does not exist; create it first',
    EACCES: 'the gateway is not allowed to read or create it; change its permissions, or name another file',
  };
  return new Error(`cannot use the token file ${path}: ${reasons[code ?? ''] ?? message}`, { cause });
}
