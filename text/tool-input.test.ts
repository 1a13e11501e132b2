// Text of a tool's input, as shown to people: rule MC11.
import { expect, it } from 'vitest';
import { toolInputText } from './tool-input.ts';

it('toolInputText lists each member of a tool’s input in full', () => {
  const content = 'lorem ipsum\n'.repeat(10_000);
  const text = toolInputText({ content, file_path: '/etc/passwd', options: { force: true } }, false);
  expect(text.split('\n').slice(-3)).toEqual(['  ', 'file_path: /etc/passwd', 'options: {"force":true}']);
  expect(text.length).toBeGreaterThan(content.length);
});

it('toolInputText lists members that the command does not show, except those that cannot change its effect', () => {
  const input = { command: 'make', description: 'Builds', timeout: 1000, run_in_background: true };
  expect(toolInputText(input, true)).toBe('');
  expect(toolInputText({ ...input, dangerouslyDisableSandbox: true }, true)).toBe(
    'dangerouslyDisableSandbox: true',
  );
});
