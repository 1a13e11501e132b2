// Words for a removed recording.
import { expect, it } from 'vitest';
import { removalText } from './removal-text.ts';

it.each([
  ['Ada', 'Ada removed this recording'],
  ['me', 'You removed this recording'],
  ['gateway', 'The gateway removed this recording to stay within its limits'],
  // Names are withheld from guests.
  ['somebody', 'This recording was removed'],
  ['A\u202eda', 'A\\u202eda removed this recording'],
])('removalText names who removed the recording: %o', (who, text) => {
  expect(removalText(who, 'me')).toBe(text);
});
