// Reads configuration files as the gateway's user, or as another user with fewer rights.
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { identityOf, type User } from '../../host/user.ts';
import { Budget, type Taker } from '../../limits/budget.ts';
import { Turns } from '../../limits/turns.ts';
import { internal } from '../../rpc/rpc-error.ts';
import { numberText } from '../../../text/amounts.ts';

/** Maximum size of a configuration file. */
const FILE_BYTES = 1024 * 1024;

/** Time after which a shell is killed, since its user may have suspended it (SIGSTOP). */
const SHELL_MS = 10_000;

/** Maximum number of shells at once, in total and for one token, and the part reserved for operators and admins. */
const SHELLS = { all: 9, perToken: 4, reserve: 1 };
const turns = new Turns(new Budget('reads of configuration in progress', SHELLS));

export interface ConfigFiles {
  /**
   * Returns the text of a file; null when it is missing. Throws an error that names the file when it cannot
   * be read.
   */
  read(path: string): Promise<string | null>;
  /** Returns true when anything exists at this path, even a dangling link. */
  isThere(path: string): Promise<boolean>;
}

export const OWN_FILES: ConfigFiles = {
  async read(path) {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
        throw internal(`${path} cannot be read: ${error.message}`);
      },
    );
    if (!handle) return null;
    try {
      const found = await handle.stat();
      if (!found.isFile() || found.size > FILE_BYTES) throw tooLarge(path);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  },
  isThere: (path) =>
    lstat(path).then(
      () => true,
      () => false,
    ),
};

interface Client {
  readonly identity: Taker;
  readonly connection: { readonly isEnding: boolean };
}

const NOT_THERE = 3;
const NO_FILE = 4;
const READ = `[ -e "$1" ] || exit ${NOT_THERE}; [ -f "$1" ] || exit ${NO_FILE}; exec cat -- "$1"`;
const LOOK = `[ -e "$1" ] || [ -L "$1" ] || exit ${NOT_THERE}`;

/** Reads files for a client through processes that run as another user. */
export const filesAs = (user: User, client: Client): ConfigFiles => ({
  async read(path) {
    const { code, stdout, stderr } = await shellInTurn(READ, path, user, client);
    if (code === NOT_THERE) return null;
    if (code === NO_FILE || code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') throw tooLarge(path);
    if (code !== 0) throw internal(`${path} cannot be read: ${stderr.trim()}`);
    return stdout;
  },
  isThere: async (path) => (await shellInTurn(LOOK, path, user, client)).code === 0,
});

const tooLarge = (path: string): Error =>
  internal(
    `${path} cannot be read as configuration: it must be a file of at most ${numberText(FILE_BYTES)} bytes`,
  );

interface ShellResult {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

const shellInTurn = (
  script: string,
  path: string,
  user: User,
  { identity, connection }: Client,
): Promise<ShellResult> =>
  turns.inTurn(identity, async () => {
    if (connection.isEnding) throw internal('the connection was closed, so nothing was read');
    return await shell(script, path, user);
  });

function shell(script: string, path: string, user: User): Promise<ShellResult> {
  const limits = { maxBuffer: FILE_BYTES, timeout: SHELL_MS, killSignal: 'SIGKILL' } as const;
  const options = { cwd: '/', env: {}, ...limits, ...identityOf(user) };
  return new Promise((resolve, reject) => {
    execFile('/bin/sh', ['-c', script, 'sh', path], options, (error, stdout, stderr) => {
      if (error?.killed && typeof error.code !== 'string')
        reject(internal(`${path} cannot be read: ${user.name} did not answer within ${SHELL_MS / 1000} s`));
      else resolve({ code: error ? (error.code ?? 1) : 0, stdout, stderr });
    });
  });
}
