// The file that the operator named: its content is a token.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

/** The token in it, without a final newline; the file is made, for its owner only, if it is missing. */
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
  return token;
}

const describe = (path: string, cause: unknown): Error =>
  new Error(`cannot use the token file ${path}: ${(cause as Error).message}`, { cause });
