// Wording of requests: input that is not known, and the reason for waiting.
import { expect, it } from 'vitest';
import { approvalOf } from '../../testing/page-approvals.ts';
import { outcomeText, reasonText, requestName } from './request-words.ts';

it('requestName returns the program instead of input that is not known, and the input otherwise', () => {
  const request = approvalOf(1, { kind: 'input', argv: ['bash', '-i'] });
  expect(requestName({ ...request, input: null })).toBe('input for bash -i');
  expect(requestName({ ...request, input: 'ls' })).toBe('ls');
});

it('outcomeText names a rule as the reason of a refusal without a decision, and who made the change', () => {
  const refused = approvalOf(1, { state: 'declined', decidedBy: 'Ada', message: 'the rule r forbids: no' });
  expect(outcomeText(refused, null)).toBe(
    'Refused after Ada changed a rule or the policy: the rule r forbids: no',
  );
  expect(outcomeText(refused, 'Ada')).toBe(
    'Refused after you changed a rule or the policy: the rule r forbids: no',
  );
});

it('reasonText begins with a capital, except for the justification of a rule, which stays as it was written', () => {
  const rule = {
    rule: 'r',
    file: 'team.rules',
    line: 1,
    decision: 'prompt',
    justification: 'it publishes',
  } as const;
  expect(reasonText({ reason: 'paused by Ada', rule: null })).toBe('Paused by Ada');
  expect(reasonText({ reason: 'it publishes', rule })).toBe('it publishes');
});
