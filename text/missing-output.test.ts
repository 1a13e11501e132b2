// Tests of the words for output that a reader does not receive.
import { expect, it } from 'vitest';
import { missingHereText, missingText, skippedText } from './missing-output.ts';

it('[CL9] The note about missing output has the exact count, if it is known, and no reason, which nobody knows', () => {
  expect(missingHereText(1)).toBe('1 byte of output is missing here');
  expect(missingHereText(70_000)).toBe('70,000 bytes of output are missing here');
  expect(missingHereText(null)).toBe('output is missing here');
  expect([missingText(1_200_000), skippedText(1_200_000)]).toEqual(['1.2 MB missing', '1.2 MB skipped']);
});
