// Tests of sessions of an earlier gateway: rule MC7.
import { expect, it, vi } from 'vitest';
import type { Identity } from '../policy/identity.ts';
import type { Exec } from './room.ts';
import { hashOf } from './session.ts';
import { McpSessions } from './sessions.ts';

const identity: Identity = { tokenId: 't1', name: 'bot', role: 'agent', expiresAtMs: null };

it.each([true, false])(
  '[MC7] returns its processes to a client of an earlier gateway (disconnected there: %j)',
  (isGone) => {
    const past = { tokenId: 't1', client: { name: 'agent' }, version: '2025-11-25', isGone };
    const notes = {
      all: () => new Map([[hashOf('id'), past]]),
      set: () => undefined,
      remove: () => undefined,
    };
    const sessions = new McpSessions({ mcpSessions: 10, mcpIdleMs: 60_000, mcpForgottenMs: 120_000 }, notes);
    const comeBack = vi.fn(() => ({ close: () => undefined }) as Exec);
    const room = { enter: vi.fn(), comeBack };
    sessions.restore(({ client, version }) => ({ identity, client, version, room, decide: () => undefined }));
    expect(comeBack).toHaveBeenCalledTimes(isGone ? 0 : 1);
    sessions.find('id', identity);
    sessions.find('id', identity);
    expect(comeBack).toHaveBeenCalledTimes(1);
    sessions.close();
  },
);
