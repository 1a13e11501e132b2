// Worker thread that draws all screens, because the gateway's main thread must forward keystrokes without delay.
import { parentPort, workerData } from 'node:worker_threads';
import { DrawingQueue } from './drawing-queue.ts';
import { DrawingTurns } from './drawing-turns.ts';
import type { FromScreens, Picture, ScreensLimits, ScreenSnapshot, ToDraw, ToScreens } from './messages.ts';
import { ScreenStore } from './screen-store.ts';

const limits = workerData as ScreensLimits;
const turns = new DrawingTurns(limits);
const store = new ScreenStore(limits, turns);
const queue = new DrawingQueue();
let isWorking = false;

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const send = (message: FromScreens): void => parentPort?.postMessage(message);

const answer = (request: number, what: ScreenSnapshot | Picture | null): void =>
  send({ kind: 'answer', request, answer: what });

parentPort?.on('message', (message: ToScreens) => {
  if (message.kind === 'close') close(message.screen);
  else queue.add(message);
  if (!isWorking) void workOff();
});

/** Processes messages, each in one turn or several. An error ends the thread, because it is not handled here. */
async function workOff(): Promise<void> {
  isWorking = true;
  for (let message = queue.next(); message; message = queue.next()) await takeTurn(message);
  isWorking = false;
}

async function takeTurn(message: ToDraw): Promise<void> {
  const { screen } = message;
  const progress = await turns.take(screen, () => work(message));
  if (progress === 'unfinished') {
    queue.putBack(message);
    // A dropped screen starts again when it is requested.
    if (turns.isUsedUp(screen)) {
      store.close(screen);
      turns.renew(screen);
    }
  }
  if (!queue.has(screen)) turns.renew(screen);
}

/** Closes a screen at once, however much of its output is queued; its queued requests are answered with null. */
function close(screen: number): void {
  for (const message of queue.remove(screen)) if ('request' in message) answer(message.request, null);
  store.close(screen);
  turns.forget(screen);
}

async function work(message: ToDraw): Promise<void> {
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
  }
}
