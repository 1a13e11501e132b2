// The gateway's side of a file helper, which runs operations in a sandbox or as another user, one after
// another.
import { spawn, type ChildProcess } from 'node:child_process';
import { ownArgv } from '../../host/built-file.ts';
import { afterPatience } from '../../host/patience.ts';
import { identityOf, type User } from '../../host/user.ts';
import { internal, RpcError } from '../../rpc/rpc-error.ts';
import type { Sandbox } from '../../host/sandbox/sandboxes.ts';
import type { LinkedFiles } from './linked-files.ts';
import type { FileOperation, OperationsLimits } from './operations.ts';
import { UnknownLink } from './private-places.ts';

/** Messages to a helper: first its limits, then operations, with the private files that they must not touch. */
export type HelperMessage =
  | { readonly limits: OperationsLimits }
  | { readonly method: FileOperation; readonly params: unknown; readonly links: LinkedFiles };

export type HelperReply =
  | { readonly result: unknown }
  | { readonly unknownLink: string }
  | { readonly error: { readonly code: number; readonly message: string } };

const NO_LINKS: LinkedFiles = { inodes: [], untilMs: null };

/** Place in which a helper runs: inside a sandbox, as another user, or both. */
export interface HelperPlace {
  readonly sandbox: Sandbox | null;
  readonly user: User | null;
}

/**
 * Time without a byte from a helper that is running an operation, after which it is killed. It sends a
 * heartbeat every second, unless another process of its user has suspended it or a hung mount blocks it.
 */
const SILENT_MS = 10_000;
const SILENT = `did not respond for ${SILENT_MS / 1000} s, so it was killed`;

/** Maximum number of retained characters of a helper's error output. */
const COMPLAINT_CHARS = 2000;

export class Helper {
  readonly #child: ChildProcess;
  #parts: Buffer[] = [];
  #complaint = '';
  #waiting: { resolve: (reply: HelperReply) => void; reject: (error: Error) => void } | null = null;
  #isOver = false;
  #isSilent = false;
  #stopPatience: () => void = () => {};
  readonly #over: Promise<void>;
  readonly #mostBytes: number;
  #bytes = 0;

  /** Starts the helper; throws when the sandbox cannot be entered. */
  constructor({ sandbox, user }: HelperPlace, limits: OperationsLimits) {
    const own = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
    const command = { argv: helperArgv(), arg0: null, cwd: '/', env: own };
    const { argv, env, leave } = sandbox?.enter(command) ?? { ...command, leave: () => {} };
    const [file = '', ...args] = argv;
    this.#child = spawn(file, args, {
      cwd: '/',
      env: { ...env },
      stdio: 'pipe',
      ...identityOf(user),
    });
    this.#mostBytes = limits.fileReadBytes * 2 + REPLY_BYTES;
    let resolveOver!: () => void;
    this.#over = new Promise((resolve) => (resolveOver = resolve));
    const over = (why: string): void => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.#stopPatience();
      void Promise.resolve(leave()).then(resolveOver);
      this.#waiting?.reject(
        internal(`the file helper ${why}: ${this.#complaint.trim() || 'no error output'}`),
      );
      this.#waiting = null;
    };
    this.#child.once('error', ({ message }) => over(`could not be started (${message})`));
    this.#child.once('close', () => over(this.#isSilent ? SILENT : 'has ended'));
    this.#child.stdout?.on('data', (bytes: Buffer) => this.#took(bytes));
    this.#child.stderr?.on('data', (bytes: Buffer) => {
      this.#complaint = `${this.#complaint}${bytes.toString()}`.slice(0, COMPLAINT_CHARS);
    });
    // Errors on stdin are ignored, because the exit of the helper reports more about the failure.
    this.#child.stdin?.on('error', () => {});
    this.#send({ limits });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Runs one operation; call only when the previous one has ended. Throws UnknownLink as `PrivateInodes` does. */
  async call(method: FileOperation, params: unknown, links = NO_LINKS): Promise<unknown> {
    const reply = await new Promise<HelperReply>((resolve, reject) => {
      if (this.#isOver) {
        reject(internal('the file helper has ended'));
        return;
      }
      this.#waiting = { resolve, reject };
      this.#send({ method, params, links });
      this.#waitLonger();
    });
    if ('unknownLink' in reply) throw new UnknownLink(reply.unknownLink);
    if ('error' in reply) throw new RpcError(reply.error.code, reply.error.message);
    return reply.result;
  }

  /** Kills the helper immediately; resolves when it has ended and its sandbox has been left. */
  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#over;
  }

  #waitLonger(): void {
    this.#stopPatience();
    this.#stopPatience = afterPatience(SILENT_MS, () => {
      this.#isSilent = true;
      this.#child.kill('SIGKILL');
    });
  }

  #send(message: HelperMessage): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /**
   * Collects a reply, which is one line after any number of heartbeats; kills a helper that exceeds the
   * maximum size. The data is untrusted, because a helper may run as another user.
   */
  #took(received: Buffer): void {
    if (this.#waiting) this.#waitLonger();
    const bytes = this.#parts.length === 0 ? withoutBeats(received) : received;
    if (bytes.length === 0) return;
    this.#bytes += bytes.length;
    if (this.#bytes > this.#mostBytes) {
      this.#parts = [];
      this.#child.kill('SIGKILL');
      return;
    }
    this.#parts.push(bytes);
    if (bytes.at(-1) !== LINE_FEED) return;
    const line = Buffer.concat(this.#parts.splice(0)).toString();
    this.#bytes = 0;
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#stopPatience();
    try {
      waiting?.resolve(JSON.parse(line) as HelperReply);
    } catch {
      waiting?.reject(internal('the file helper sent an invalid reply'));
      this.#child.kill('SIGKILL');
    }
  }
}

/**
 * Throws an error with advice when the helper cannot run as this user, for example because the user may not
 * read the gateway's files.
 */
export async function tryHelperAs(user: User, limits: OperationsLimits): Promise<void> {
  const helper = new Helper({ sandbox: null, user }, limits);
  try {
    await helper.call('fs/getMetadata', { path: 'file:///' });
  } catch (cause) {
    throw new Error(
      `files cannot be accessed as ${user.name}, who must be able to run ${process.execPath} and to read ` +
        `exec-console's own files: ${(cause as Error).message}`,
      { cause },
    );
  } finally {
    await helper.end();
  }
}

/** Maximum size of a reply in addition to a file in base64. */
const REPLY_BYTES = 64 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** Removes the heartbeats, which are empty lines, before a reply. */
function withoutBeats(bytes: Buffer): Buffer {
  const at = bytes.findIndex((byte) => byte !== LINE_FEED);
  return at < 0 ? bytes.subarray(bytes.length) : bytes.subarray(at);
}

const helperArgv = (): string[] =>
  ownArgv('file-helper.js', new URL('file-helper-entry.ts', import.meta.url));
