// Errors of the gateway as shown to people.
import { expect, it } from 'vitest';
import { errorText } from './error-text.ts';

it.each([
  ['console/search: params.query: must not be empty', 'query must not be empty'],
  [
    'console/history: params.limit: Too big: expected number to be <=500',
    'limit: Too big: expected number to be <=500',
  ],
  [
    'process/start: params.argv[2] has 9 bytes, but the limit is 8',
    'argv[2] has 9 bytes, but the limit is 8',
  ],
  ['process/start: params.env.PATH has 9 bytes, but the limit is 8', 'PATH has 9 bytes, but the limit is 8'],
  ['console/pause: params.session: unknown session x', 'unknown session x'],
  ['params.like: allowed only with session "console"', 'allowed only with session "console"'],
  ['process/read: params: send either processId or key, not both', 'send either processId or key, not both'],
  ['console/historyRemove: process a still runs', 'process a still runs'],
  ['cannot start "ls": not found', 'cannot start "ls": not found'],
  ['src/fs: no method', 'src/fs: no method'],
  ['parameters are many', 'parameters are many'],
])('[CL13] %j is shown as %j', (message, shown) => {
  expect(errorText(new Error(message))).toBe(shown);
});
