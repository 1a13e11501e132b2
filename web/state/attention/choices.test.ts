// Stored choices are validated when read: only known causes are accepted.
import { expect, it } from 'vitest';
import { parseChoices } from './choices.ts';

const USUAL = { isOn: false, causes: ['approval', 'failed', 'waits', 'notification'], hasButtons: false };

it.each([undefined, null, 1, 'x', {}, { causes: 'all' }])(
  'parseChoices of %j returns the defaults',
  (value) => {
    expect(parseChoices(value)).toEqual(USUAL);
  },
);

it('parseChoices accepts valid causes, in the order of urgency', () => {
  expect(parseChoices({ isOn: true, causes: ['bell', 'gong', 'failed'], version: 2 })).toEqual({
    isOn: true,
    causes: ['failed', 'bell'],
    hasButtons: false,
  });
  expect(parseChoices({ isOn: 'yes', causes: [], hasButtons: 1, version: 2 })).toEqual({
    isOn: false,
    causes: [],
    hasButtons: false,
  });
});

it('parseChoices adds approval requests to choices of an earlier version', () => {
  expect(parseChoices({ isOn: true, causes: ['failed'] }).causes).toEqual(['approval', 'failed']);
});
