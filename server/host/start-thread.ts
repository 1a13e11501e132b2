// Starts a worker thread of the gateway, from the built file beside it, or from the source in development.
import { EventEmitter } from 'node:events';
import { Worker, type Transferable } from 'node:worker_threads';
import { builtFile } from './built-file.ts';

/** A worker thread. It emits `message`, and `error` when it has failed; `terminate` ends it. */
export interface Thread extends EventEmitter {
  postMessage(message: unknown, moved?: readonly Transferable[]): void;
  terminate(): Promise<unknown>;
}

/**
 * Delay before a worker thread that could not start emits `error`, so that an owner that then starts another thread
 * does not do so in a busy loop.
 */
const ERROR_DELAY_MS = 1000;

/**
 * Options that keep a worker thread's output out of the gateway's own streams; a process may be able to cause such
 * output.
 */
const OWN_STREAMS = { stdout: true, stderr: true };

/**
 * Starts a worker thread. `source`: URL of its TypeScript file; the built file has the same name and is beside the
 * gateway.
 */
export function startThread(source: URL, workerData: unknown): Thread {
  const name = source.pathname.slice(source.pathname.lastIndexOf('/') + 1).replace(/\.ts$/, '.js');
  const built = builtFile(name);
  try {
    const worker =
      built !== null ? new Worker(built, { workerData, ...OWN_STREAMS }) : fromSource(source, workerData);
    // The output is discarded: the gateway's stdout may be a connection, and its stderr is the log. Errors arrive as
    // `error`.
    worker.stdout.resume();
    worker.stderr.resume();
    // The worker thread does not keep the gateway from ending.
    worker.unref();
    return worker;
  } catch (error) {
    return new Stillborn(error);
  }
}

/** Starts a worker thread from the source, which a worker in this Node version can read only through a loader. */
function fromSource({ href }: URL, workerData: unknown): Worker {
  const load = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(href)}); });`;
  return new Worker(load, { eval: true, workerData, ...OWN_STREAMS });
}

/** A worker thread that could not be created: it emits `error`, like one that has run out of memory. */
class Stillborn extends EventEmitter implements Thread {
  readonly #timer: NodeJS.Timeout;

  constructor(error: unknown) {
    super();
    this.#timer = setTimeout(() => this.emit('error', error), ERROR_DELAY_MS).unref();
  }

  postMessage(): void {}

  terminate(): Promise<void> {
    clearTimeout(this.#timer);
    return Promise.resolve();
  }
}
