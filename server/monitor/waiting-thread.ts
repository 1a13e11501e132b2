// Worker thread that determines in which system calls the foreground jobs of idle terminals sleep.
import { parentPort } from 'node:worker_threads';
import { foregroundJobs } from './foreground-job.ts';

parentPort?.on('message', (leaders: readonly number[]) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(foregroundJobs(leaders));
});
