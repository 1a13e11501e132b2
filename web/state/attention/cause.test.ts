// Notification of an activity entry: its name and text have a limited length.
import { expect, it } from 'vitest';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { attentionItemOf } from './cause.ts';

const PARTY = '\u{1f389}';

it.each([
  ['done', 'done'],
  [PARTY.repeat(80), PARTY.repeat(80)],
  [`x${PARTY.repeat(80)}`, `x${PARTY.repeat(79)}…`],
])('the text of a notification %j is %j', (text, expected) => {
  const info = processInfo({ key: 'a' });
  const entry = { change: 1, key: 'a', what: 'notification', text, atMs: 1 } as const;
  expect(attentionItemOf(entry, info)?.text).toBe(expected);
});
