// Starts a worker thread of the gateway: built beside it, in development from the source.
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker, type Transferable } from 'node:worker_threads';

/** A worker thread: emits `message`, and `error` when it has died; `terminate` ends it. */
export interface Thread extends EventEmitter {
  postMessage(message: unknown, moved?: readonly Transferable[]): void;
  terminate(): Promise<unknown>;
}

/**
 * Delay before a thread that could not start emits `error`: its owner restarts it at once, and would find no room
 * either.
 */
const UNTOLD_MS = 1000;

/** The libraries of a thread print to nowhere: a process may be what makes them print. */
const OWN_STREAMS = { stdout: true, stderr: true };

/**
 * `source` is the URL of the thread's TypeScript file; the built file has the same name and lies beside the gateway.
 */
export function startThread(source: URL, workerData: unknown): Thread {
  const name = source.pathname.slice(source.pathname.lastIndexOf('/') + 1).replace(/\.ts$/, '.js');
  const built = fileURLToPath(new URL(name, import.meta.url));
  try {
    const worker = existsSync(built)
      ? new Worker(built, { workerData, ...OWN_STREAMS })
      : fromSource(source, workerData);
    // stdout may be a connection, and each line of stderr belongs to the log; errors arrive as `error`.
    worker.stdout.resume();
    worker.stderr.resume();
    // The gateway may end when it has nothing else to do.
    worker.unref();
    return worker;
  } catch (error) {
    return new Stillborn(error);
  }
}

/** Starts from the source: a worker of this Node version reads TypeScript only through a loader. */
function fromSource({ href }: URL, workerData: unknown): Worker {
  const load = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(href)}); });`;
  return new Worker(load, { eval: true, workerData, ...OWN_STREAMS });
}

/** A thread that the system has no room for: it emits `error`, like one that has run out of memory. */
class Stillborn extends EventEmitter implements Thread {
  readonly #timer: NodeJS.Timeout;

  constructor(error: unknown) {
    super();
    this.#timer = setTimeout(() => this.emit('error', error), UNTOLD_MS).unref();
  }

  postMessage(): void {}

  terminate(): Promise<void> {
    clearTimeout(this.#timer);
    return Promise.resolve();
  }
}
