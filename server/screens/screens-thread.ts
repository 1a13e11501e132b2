// The screens' thread. Output is parsed here, because the gateway's own thread must forward keystrokes
// without delay.
import { parentPort, workerData } from 'node:worker_threads';
import { DrawingQueue } from './drawing-queue.ts';
import type { FromScreens, Picture, ScreensLimits, ScreenSnapshot, ToScreens } from './messages.ts';
import { ScreenStore } from './screen-store.ts';

const store = new ScreenStore(workerData as ScreensLimits);
const queue = new DrawingQueue();
let isWorking = false;

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const send = (message: FromScreens): void => parentPort?.postMessage(message);

const answer = (request: number, what: ScreenSnapshot | Picture | null): void =>
  send({ kind: 'answer', request, answer: what });

parentPort?.on('message', (message: ToScreens) => {
  queue.add(message);
  if (!isWorking) void workOff();
});

/** Processes messages one after another. An error ends the thread, because it is not handled here. */
async function workOff(): Promise<void> {
  isWorking = true;
  for (let message = queue.next(); message; message = queue.next()) await work(message);
  isWorking = false;
}

async function work(message: ToScreens): Promise<void> {
  switch (message.kind) {
    case 'open':
      store.open(message.screen, message.size);
      return;
    case 'feed':
      await store.feed(message.screen, Buffer.from(message.bytes));
      send({ kind: 'fed', screen: message.screen, bytes: message.bytes.length });
      return;
    case 'resize':
      await store.resize(message.screen, message.size);
      return;
    case 'gap':
      await store.gap(message.screen, Buffer.from(message.state));
      return;
    case 'snapshot':
      answer(message.request, await store.snapshot(message.screen, message.scrollback));
      return;
    case 'picture':
      answer(message.request, await store.picture(message.screen));
      return;
    case 'close':
      store.close(message.screen);
  }
}
