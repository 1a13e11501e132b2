// Starts a thread of the gateway's own: built beside it, in development from the source.
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker, type Transferable } from 'node:worker_threads';

/** What its owner has of it: `message` as it says something, `error` when it has died, and `terminate` ends it. */
export interface Thread extends EventEmitter {
  postMessage(message: unknown, moved?: readonly Transferable[]): void;
  terminate(): Promise<unknown>;
}

/** Between two tries of an owner that tries again at once: where there is no room for a thread there will be none yet. */
const UNTOLD_MS = 1000;

/** What the libraries of a thread print goes nowhere: a process may be what makes them print. */
const OWN_STREAMS = { stdout: true, stderr: true };

/** `source` is the thread's file in TypeScript, as a URL; what is built has its name and lies beside the gateway. */
export function startThread(source: URL, workerData: unknown): Thread {
  const name = source.pathname.slice(source.pathname.lastIndexOf('/') + 1).replace(/\.ts$/, '.js');
  const built = fileURLToPath(new URL(name, import.meta.url));
  try {
    const worker = existsSync(built)
      ? new Worker(built, { workerData, ...OWN_STREAMS })
      : fromSource(source, workerData);
    // stdout may be a connection, and each line of stderr is the log's; errors arrive as `error`.
    worker.stdout.resume();
    worker.stderr.resume();
    // A gateway that has nothing else to do may end.
    worker.unref();
    return worker;
  } catch (error) {
    return new Stillborn(error);
  }
}

/** A thread of this Node reads TypeScript only with help. */
function fromSource({ href }: URL, workerData: unknown): Worker {
  const load = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(href)}); });`;
  return new Worker(load, { eval: true, workerData, ...OWN_STREAMS });
}

/** Where the system has no room for a thread, what was asked for dies, as a thread does whose memory is full. */
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
