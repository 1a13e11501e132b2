// Starts a thread of the gateway's own: built beside it, in development from the source.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** `source` is the thread's file in TypeScript, as a URL; what is built has its name and lies beside the gateway. */
export function startThread(source: URL, workerData: unknown): Worker {
  const name = source.pathname.slice(source.pathname.lastIndexOf('/') + 1).replace(/\.ts$/, '.js');
  const built = fileURLToPath(new URL(name, import.meta.url));
  const worker = existsSync(built)
    ? new Worker(built, { workerData, stdout: true })
    : fromSource(source, workerData);
  // stdout may be a connection; whatever a thread's libraries print is for the log.
  worker.stdout.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  // A gateway that has nothing else to do may end.
  worker.unref();
  return worker;
}

/** A thread of this Node reads TypeScript only with help. */
function fromSource({ href }: URL, workerData: unknown): Worker {
  const load = `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(href)}); });`;
  return new Worker(load, { eval: true, workerData, stdout: true });
}
