// The one thread that hashes for all terminals of the page, started when there is something to hash.
import type { DigestTask } from './digest-worker.ts';
import type { Sha256State } from './sha256.ts';

/** The state after a task; null when there is no thread to do it. */
type Done = (state: Sha256State | null) => void;

let worker: Worker | null = null;
let hasFailed = false;
/** In the order of their tasks, which is that of the answers. */
const waiting: Done[] = [];

/** `task.bytes` is copied. */
export function hashInThread(task: DigestTask, done: Done): void {
  worker ??= started();
  if (!worker) return done(null);
  waiting.push(done);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(task);
}

function started(): Worker | null {
  if (hasFailed || typeof Worker === 'undefined') return null;
  const thread = new Worker(new URL('digest-worker.ts', import.meta.url), { type: 'module' });
  thread.addEventListener('message', ({ data }: MessageEvent<Sha256State>) => waiting.shift()?.(data));
  thread.addEventListener('error', () => {
    hasFailed = true;
    thread.terminate();
    worker = null;
    for (const done of waiting.splice(0)) done(null);
  });
  return thread;
}
