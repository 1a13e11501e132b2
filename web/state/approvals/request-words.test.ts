// Wording of requests whose input is not known.
import { expect, it } from 'vitest';
import { approvalOf } from '../../testing/page-approvals.ts';
import { requestName } from './request-words.ts';

it('requestName returns the program instead of input that is not known, and the input otherwise', () => {
  const request = approvalOf(1, { kind: 'input', argv: ['bash', '-i'] });
  expect(requestName({ ...request, input: null })).toBe('input for bash -i');
  expect(requestName({ ...request, input: 'ls' })).toBe('ls');
});
