// Names of clients as shown to people.
import { expect, it } from 'vitest';
import { clientTitle } from './client-title.ts';

it.each([
  ['codex-environment', 'Codex'],
  ['claude-code', 'Claude Code'],
  ['my-agent', 'my-agent'],
  ['a\u202eb', 'a\\u202eb'],
])('the client %s is shown as %s', (name, title) => {
  expect(clientTitle(name)).toBe(title);
});
