// The only script of a service worker that the gateway sends, at every path. At its own path and in its own scope it is
// the worker of notifications; anywhere else it takes the place of a worker that another program has left, and ends it.
import { passPresses, type WorkerScope } from './notification-worker.ts';
import { endWorker, type LeftWorker } from './worker-end.ts';

const PATH = '/notifications/worker.js';

const scope = self as unknown as WorkerScope & LeftWorker;
const { origin, pathname } = new URL(self.location.href);
const isOwn = pathname.endsWith(PATH) && scope.registration.scope === new URL('./', origin + pathname).href;

if (isOwn) passPresses(scope);
else endWorker(scope);
