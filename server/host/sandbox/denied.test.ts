// Failures that a sandbox has probably caused, by exit code and output.
import { expect, it } from 'vitest';
import { sandboxDenied } from './denied.ts';

it.each([
  [0, 'Permission denied', false],
  [1, '', false],
  [1, 'no such file', false],
  [2, 'cannot create f: Read-only file system', true],
  [1, 'OPERATION NOT PERMITTED', true],
  [127, 'Permission denied', true],
  [6, 'curl: (6) Could not resolve host: example.org', true],
  [143, '', false],
  [159, '', true],
])('[SB8] sandboxDenied for exit %i after %j is %s', (code, output, denied) => {
  expect(sandboxDenied(code, output)).toBe(denied);
});
