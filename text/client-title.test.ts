// Names of clients as shown to people.
import { expect, it } from 'vitest';
import { agentTitle, clientTitle, starterTitle } from './client-title.ts';

it.each([
  ['codex-environment', 'Codex'],
  ['claude-code', 'Claude Code'],
  ['my-agent', 'my-agent'],
  ['a\u202eb', 'a\\u202eb'],
])('the client %s is shown as %s', (name, title) => {
  expect(clientTitle(name)).toBe(title);
});

it.each([
  ['codex', 'Codex'],
  ['', 'Ada'],
  [null, 'Ada'],
])('a process of Ada’s token and the client %j is of the agent %s', (clientName, title) => {
  expect(agentTitle({ clientName, startedBy: 'Ada' })).toBe(title);
});

it.each([
  ['bot', 'codex', 'bot (Codex)'],
  ['claude', 'claude', 'claude (Claude Code)'],
  ['claude', 'claude-code', 'claude (Claude Code)'],
  ['my-agent', 'my-agent', 'my-agent'],
  ['Ada', '', 'Ada'],
  ['Ada', null, 'Ada'],
])('a request of the token %s and the client %j is of %s', (startedBy, clientName, title) => {
  expect(starterTitle({ clientName, startedBy })).toBe(title);
});
