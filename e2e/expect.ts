// Playwright's `expect` for the browser tests, whose `poll` notices a change within a tenth of a second.
import { expect as base } from '@playwright/test';

/** Pauses between attempts; the last one repeats. Playwright's own grow to a second. */
const POLL_MS = [20, 50, 100];

const poll: typeof base.poll = (actual, options) =>
  base.poll(actual, {
    intervals: POLL_MS,
    ...(typeof options === 'string' ? { message: options } : options),
  });

export const expect: typeof base = new Proxy(base, {
  get: (target, name): unknown => (name === 'poll' ? poll : Reflect.get(target, name)),
});
