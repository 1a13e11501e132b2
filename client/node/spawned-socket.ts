// Wraps an exec-server child process as a WebSocket: one message per line of its stdin and stdout.
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { SocketLike } from '../socket-like.ts';
import { CloseCode } from '../../protocol/console-constants.ts';
import { Lines } from '../../server/rpc/lines.ts';

/** Longest message from the server; the largest replies are whole files. */
const MESSAGE_BYTES = 256 * 1024 * 1024;
/** Grace period for the server and its processes to exit after stdin has ended. */
const ENDING_MS = 2000;

interface Listeners {
  open: () => void;
  message: (event: { readonly data: string }) => void;
  close: (event: { readonly code: number; readonly reason: string }) => void;
  error: () => void;
}

export class SpawnedSocket implements SocketLike {
  readonly #command: string;
  readonly #child: ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };
  readonly #listeners: { [K in keyof Listeners]: Listeners[K][] } = {
    open: [],
    message: [],
    close: [],
    error: [],
  };
  #state: 'open' | 'closing' | 'closed' = 'open';
  #timer: NodeJS.Timeout | null = null;

  constructor(command: string, args: readonly string[]) {
    this.#command = command;
    // The server's log messages go to this process's stderr.
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = new Lines(MESSAGE_BYTES, {
      onLine: (line) => this.#report('message', { data: line.toString('utf8') }),
      onTooLong: () => this.close(),
    });
    this.#child.on('spawn', () => this.#report('open', undefined));
    this.#child.on('error', ({ message }) => {
      // The close code is final, because it is useless to retry a program that cannot be started.
      this.#closed(`${command} cannot be started: ${message}`, CloseCode.policyViolation);
    });
    this.#child.on('close', (code, signal) => {
      this.#closed(`${this.#command} has ended: ${signal ?? `exit code ${String(code)}`}`);
    });
    // Errors are ignored, because the child's `close` event reports that the server is gone.
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
  }

  send(text: string): void {
    if (this.#state === 'open') this.#child.stdin.write(`${text}\n`);
  }

  /** Ends stdin, at which the server should end itself and its processes; kills the server after the grace period. */
  close(): void {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    this.#child.stdin.end();
    // Unread output would delay the end of the stream.
    this.#child.stdout.resume();
    this.#timer = setTimeout(() => this.#child.kill('SIGKILL'), ENDING_MS);
  }

  pause(): void {
    this.#child.stdout.pause();
  }

  resume(): void {
    this.#child.stdout.resume();
  }

  addEventListener<K extends keyof Listeners>(type: K, listener: Listeners[K]): void {
    this.#listeners[type].push(listener);
  }

  #closed(reason: string, code = 1006): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    if (this.#timer) clearTimeout(this.#timer);
    this.#report('close', { code, reason });
  }

  #report<K extends keyof Listeners>(type: K, event: Parameters<Listeners[K]>[0]): void {
    for (const listener of this.#listeners[type]) (listener as (event: unknown) => void)(event);
  }
}
