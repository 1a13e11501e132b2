// Texts that can and cannot be the key of a process.
import { expect, it } from 'vitest';
import { isProcessKey } from './process-key.ts';

it.each(['gxPZzLW8EVkGXlw8', '_qXnI-06P1OB5ll_', 'a', 'proto'])('the text %j can be a key', (text) => {
  expect(isProcessKey(text)).toBe(true);
});

it.each([
  '',
  '.',
  '..',
  '../x',
  'a/b',
  'a b',
  '\u202ekey',
  'x'.repeat(29),
  '__proto__',
  'constructor',
  'toString',
])('the text %j cannot be a key', (text) => {
  expect(isProcessKey(text)).toBe(false);
});
