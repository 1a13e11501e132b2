// Names of signals as people type them.
import { expect, it } from 'vitest';
import { signalNamed } from './signal.ts';
import { UsageError } from './usage-error.ts';

it.each([
  ['INT', 'interrupt'],
  ['SIGINT', 'interrupt'],
  ['sigint', 'interrupt'],
  ['interrupt', 'interrupt'],
  ['TERM', 'terminate'],
  ['kill', 'kill'],
  ['HUP', 'hangup'],
  ['quit', 'quit'],
  ['TSTP', 'suspend'],
  ['SIGCONT', 'resume'],
])('the word %s names the signal %s', (word, name) => {
  expect(signalNamed(word)).toBe(name);
});

it.each(['', '9', 'USR1', 'STOP', 'SIG', 'interrupts'])('the word "%s" is rejected', (word) => {
  expect(() => signalNamed(word)).toThrow(UsageError);
});
