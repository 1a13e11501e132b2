// Tests of resuming sessions after the gateway itself was late: rule SE8.
import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS as limits } from '../config.ts';
import { pass, standStill, withLateClock } from '../testing/late-clock.ts';
import type { Session } from './session.ts';
import { SessionRegistry } from './registry.ts';

const { sessionTtlMs } = limits;
const owner = { tokenId: 't', name: 'agent', role: 'agent' };

withLateClock();

function detached() {
  const removed = vi.fn<(session: Session) => void>();
  const sessions = new SessionRegistry(
    limits,
    {
      isPinned: () => false,
      started: () => {},
      notStarted: () => {},
      changed: () => {},
      removed,
    },
    { home: null, notes: null },
  );
  const session = sessions.create('test', owner);
  sessions.detach(session);
  return { sessions, session, removed };
}

describe('[SE8] A detached session', () => {
  it('expires after its TTL', () => {
    const { session, removed } = detached();
    pass(sessionTtlMs - 1);
    expect(removed).not.toHaveBeenCalled();
    pass(2);
    expect(removed).toHaveBeenCalledExactlyOnceWith(session);
  });

  it('[SE8] expires later by the time for which the gateway stalled, so that a client can still resume it', () => {
    const { sessions, session, removed } = detached();
    pass(sessionTtlMs / 2);
    standStill(sessionTtlMs / 2 + 5000);
    pass(4999);
    expect(removed).not.toHaveBeenCalled();
    expect(sessions.resume(session.id, owner)).toBe(session);
    pass(10 * sessionTtlMs);
    expect(removed).not.toHaveBeenCalled();
  });

  it('[SE8] expires if no client resumes it in that time, however long the gateway stalled', () => {
    const { removed } = detached();
    standStill(1000 * sessionTtlMs);
    pass(sessionTtlMs - 1);
    expect(removed).not.toHaveBeenCalled();
    pass(1);
    expect(removed).toHaveBeenCalledOnce();
  });
});
