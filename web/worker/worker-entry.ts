// Service worker script, the same at every path of the gateway. At its own path and scope, it is the notification
// worker; anywhere else, it replaces and ends a worker left by another program.
import { passPresses, type WorkerScope } from './notification-worker.ts';
import { endWorker, type LeftWorker } from './worker-end.ts';

const PATH = '/notifications/worker.js';

const scope = self as unknown as WorkerScope & LeftWorker;
const { origin, pathname } = new URL(self.location.href);
const isOwn = pathname.endsWith(PATH) && scope.registration.scope === new URL('./', origin + pathname).href;

// Another program's worker that is busy, or has a page open, must not keep this one waiting.
scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
if (isOwn) passPresses(scope);
else endWorker(scope);
