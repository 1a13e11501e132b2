// Tests of the test client's timeout: a wait fails after a period without messages, not after a fixed time.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WireClient, type WireEvents } from './wire-client.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Returns a client, and a function that sends the client a notification. */
function opened(): { client: WireClient; report: (method: string) => void } {
  let events: WireEvents | null = null;
  const client = new WireClient({
    send: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
    cut: () => undefined,
    listen: (given) => (events = given),
  });
  return { client, report: (method) => events?.onMessage(JSON.stringify({ method })) };
}

it('a wait lasts as long as messages arrive, and fails after a silence', async () => {
  const { client, report } = opened();
  const outcome = client
    .until(() => client.log.find(({ method }) => method === 'end'), 'the end')
    .then(() => 'came', String);
  for (let turn = 0; turn < 10; turn += 1) {
    await vi.advanceTimersByTimeAsync(15_000);
    report('more');
  }
  report('end');
  expect(await outcome).toBe('came');
  const silent = client.until(() => false, 'what never comes').then(() => 'came', String);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await silent).toBe('Error: waited in vain for what never comes');
  expect(vi.getTimerCount()).toBe(0);
});
