// The name of an agent, while its session lives and afterwards.
import { expect, it } from 'vitest';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { clientNameOf } from './client-name.ts';
import { starterName } from './process-groups.ts';

const info = processInfo({ session: 's1', startedBy: 'agent', clientName: 'codex' });

it('clientNameOf returns the name stored with the process once the session is gone, as after a reload', () => {
  expect(clientNameOf(info, {})).toBe('codex');
  expect(starterName(info, {})).toBe('Codex');
});

it('clientNameOf returns the name of the session for a process that does not have it', () => {
  const sessions = { s1: { clientName: 'gemini' } };
  expect(clientNameOf(processInfo({ session: 's1', clientName: null }), sessions)).toBe('gemini');
});

it('clientNameOf is null for a client without a name, which the list shows under the name of its token', () => {
  const nameless = processInfo({ session: 's1', startedBy: 'Ada', clientName: '' });
  expect(clientNameOf(nameless, {})).toBeNull();
  expect(clientNameOf(nameless, { s1: { clientName: '' } })).toBeNull();
  expect(starterName(nameless, {})).toBe('Ada');
});

it('clientNameOf is null for people', () => {
  const own = processInfo({ session: 'console', startedBy: 'Ada', clientName: null });
  expect(clientNameOf(own, {})).toBeNull();
  expect(starterName(own, {})).toBe('Ada');
});
