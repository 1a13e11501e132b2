// Tests that refusals are recognized as they are written.
import { expect, it } from 'vitest';
import { isByPerson, isByRule, refusalAfterChange, refusalByPerson, refusalByRule } from './refusals.ts';

it.each(['declined', 'aborted'] as const)('a request that was %s is refused by a person', (act) => {
  expect(refusalByPerson(act, 'Ada', ' ')).toBe(`${act} by Ada`);
  const refusal = refusalByPerson(act, 'Ada', 'the rule forbids it');
  expect([isByPerson(refusal), isByRule(refusal)]).toEqual([true, false]);
});

it.each([true, false])('a command that a rule forbids is refused by a rule (certain: %j)', (isCertain) => {
  const refusal = refusalByRule('prefix_rule(pattern=["a\nb"])', isCertain, 'declined by policy');
  expect([isByPerson(refusal), isByRule(refusal)]).toEqual([false, true]);
  const later = refusalAfterChange('Ada', refusal);
  expect([isByPerson(later), isByRule(later)]).toEqual([false, true]);
});

it('another error is no refusal by a person or a rule', () => {
  expect([isByPerson('not found'), isByRule('not found')]).toEqual([false, false]);
});
