// Stored choices are validated when read: only known causes are accepted.
import { expect, it } from 'vitest';
import { parseChoices } from './choices.ts';

const USUAL = { isOn: false, causes: ['approval', 'failed', 'waits', 'notification'] };

it.each([undefined, null, 1, 'x', {}, { causes: 'all' }])('of %j is the usual', (value) => {
  expect(parseChoices(value)).toEqual(USUAL);
});

it('takes what makes sense, in the order of urgency', () => {
  expect(parseChoices({ isOn: true, causes: ['bell', 'gong', 'failed'], version: 2 })).toEqual({
    isOn: true,
    causes: ['failed', 'bell'],
  });
  expect(parseChoices({ isOn: 'yes', causes: [], version: 2 })).toEqual({ isOn: false, causes: [] });
});

it('adds requests for approval to choices that were made before there were any', () => {
  expect(parseChoices({ isOn: true, causes: ['failed'] }).causes).toEqual(['approval', 'failed']);
});
