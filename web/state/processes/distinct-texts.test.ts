// Texts with the same beginning are shortened to their difference.
import { expect, it } from 'vitest';
import { NARROW, distinctTexts } from './distinct-texts.ts';

it.each([
  [
    ['npm test', 'npm run dev'],
    ['npm test', 'npm run dev'],
  ],
  [
    ['cd /tmp && echo running one', 'cd /tmp && echo running two'],
    ['cd… echo running one', 'cd… echo running two'],
  ],
  [
    ['n=0; while :; do n=$((n+1)); echo a $n; done', 'n=0; while :; do n=$((n+1)); echo b $n; done'],
    ['n=0;… n=$((n+1)); echo a $n; done', 'n=0;… n=$((n+1)); echo b $n; done'],
  ],
  [
    ['cargo build --release', 'cargo build --release --locked'],
    ['cargo build --release', 'cargo build --release --locked'],
  ],
  // A difference near the start is visible, however long the rest is.
  [
    ['sleep 1000 && true', 'sleep 1001 && true'],
    ['sleep 1000 && true', 'sleep 1001 && true'],
  ],
  [
    [`x${'y'.repeat(60)}1`, `x${'y'.repeat(60)}2`],
    [`xyyyyyyy… ${'y'.repeat(10)}1`, `xyyyyyyy… ${'y'.repeat(10)}2`],
  ],
  // The distinguishing part begins with a whole character.
  [
    [`x${'\u{1f389}'.repeat(30)}1`, `x${'\u{1f389}'.repeat(30)}2`],
    [
      `x${'\u{1f389}'.repeat(3)}… ${'\u{1f389}'.repeat(5)}1`,
      `x${'\u{1f389}'.repeat(3)}… ${'\u{1f389}'.repeat(5)}2`,
    ],
  ],
  [
    ['the very same text twice', 'the very same text twice'],
    ['the very same text twice', 'the very same text twice'],
  ],
])('%j are shortened to %j', (texts, shortened) =>
  expect(texts.map((text) => distinctTexts(texts).get(text))).toEqual(shortened),
);

it.each([
  [
    ['for n in $(seq 3); do echo "worker 1 item $n"', 'for n in $(seq 3); do echo "worker 2 item $n"'],
    ['for… 1 item $n"', 'for… 2 item $n"'],
  ],
  [
    ['pytest tests/test_module_number_6.py', 'pytest tests/test_module_number_7.py'],
    ['pytest… 6.py', 'pytest… 7.py'],
  ],
  [
    ['npm test', 'npm run dev'],
    ['npm test', 'npm run dev'],
  ],
])('in a narrow place %j are shortened to %j', (texts, shortened) =>
  expect(texts.map((text) => distinctTexts(texts, NARROW).get(text))).toEqual(shortened),
);
