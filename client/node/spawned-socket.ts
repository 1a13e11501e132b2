// An exec-server as a child of ours, in the shape of a WebSocket: one message per line of its stdin and stdout.
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { SocketLike } from '../socket-like.ts';
import { Lines } from '../../server/rpc/lines.ts';

/** Longest message of the server; the largest replies are whole files. */
const MESSAGE_BYTES = 256 * 1024 * 1024;
/** Time that the server has to end by itself, its processes included, after its stdin has ended. */
const ENDING_MS = 2000;

interface Listeners {
  open: () => void;
  message: (event: { readonly data: string }) => void;
  close: (event: { readonly code: number; readonly reason: string }) => void;
  error: () => void;
}

export interface SpawnedSocketEvents {
  /** There is no such program, or it may not be run; a close follows. */
  cannotStart(): void;
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

  constructor(command: string, args: readonly string[], events: SpawnedSocketEvents) {
    this.#command = command;
    // The server's messages for people go to our own stderr.
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = new Lines(MESSAGE_BYTES, {
      onLine: (line) => this.#tell('message', { data: line.toString('utf8') }),
      onTooLong: () => this.close(),
    });
    this.#child.on('spawn', () => this.#tell('open', undefined));
    this.#child.on('error', (error) => {
      events.cannotStart();
      this.#closed(`${command} cannot be started: ${error.message}`);
    });
    this.#child.on('close', (code, signal) => {
      this.#closed(`${this.#command} has ended: ${signal ?? `exit code ${String(code)}`}`);
    });
    // The server has exited: its `exit` event reports that.
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
  }

  send(text: string): void {
    if (this.#state === 'open') this.#child.stdin.write(`${text}\n`);
  }

  /** The server ends when its stdin does, and its processes with it. */
  close(): void {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    this.#child.stdin.end();
    // Unread, the end of its output would not come.
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

  #closed(reason: string): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    if (this.#timer) clearTimeout(this.#timer);
    this.#tell('close', { code: 1006, reason });
  }

  #tell<K extends keyof Listeners>(type: K, event: Parameters<Listeners[K]>[0]): void {
    for (const listener of this.#listeners[type]) (listener as (event: unknown) => void)(event);
  }
}
