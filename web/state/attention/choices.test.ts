// What is kept of the choices is read with care: only what there is can be chosen.
import { expect, it } from 'vitest';
import { parseChoices } from './choices.ts';

const USUAL = { isOn: false, causes: ['failed', 'waits', 'notification'] };

it.each([undefined, null, 1, 'x', {}, { causes: 'all' }])('of %j is the usual', (value) => {
  expect(parseChoices(value)).toEqual(USUAL);
});

it('takes what makes sense, in the order of urgency', () => {
  expect(parseChoices({ isOn: true, causes: ['bell', 'gong', 'failed'] })).toEqual({
    isOn: true,
    causes: ['failed', 'bell'],
  });
  expect(parseChoices({ isOn: 'yes', causes: [] })).toEqual({ isOn: false, causes: [] });
});
