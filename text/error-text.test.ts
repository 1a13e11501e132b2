// Errors of the gateway as shown to people.
import { expect, it } from 'vitest';
import { asSentence, errorSentence, errorText } from './error-text.ts';

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

it.each([
  ['process/start: params.cwd: folder /x does not exist', 'Folder /x does not exist'],
  ['console/search: params.query: must not be empty', 'Query must not be empty'],
  ['the gateway’s disk is full', 'The gateway’s disk is full'],
  ['read-only clients cannot start processes', 'Read-only clients cannot start processes'],
  ['process/start: params.argv[2] has 9 bytes', 'argv[2] has 9 bytes'],
  ['/repo/rules: line 3 is not a rule', '/repo/rules: line 3 is not a rule'],
  ['--regex needs a text', '--regex needs a text'],
  ['sessionId must not be empty', 'sessionId must not be empty'],
  ['exec-console is not installed', 'exec-console is not installed'],
  ['EACCES: permission denied', 'EACCES: permission denied'],
])('[CL13] %j as a sentence of its own is %j', (message, shown) => {
  expect(errorSentence(new Error(message))).toBe(shown);
  expect(asSentence(shown)).toBe(shown);
});
