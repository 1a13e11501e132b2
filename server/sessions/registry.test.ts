// Tests of resuming, limiting and noting sessions, also after the gateway was suspended: rules SE6, SE8 and KP3.
import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS as limits } from '../config.ts';
import { pass, standStill, withLateClock } from '../testing/late-clock.ts';
import type { ConnectionTurn } from '../delivery/connection-turn.ts';
import { hashOf, type Session } from './session.ts';
import { SessionRegistry, type RegistryEvents, type RegistryLimits, type SessionNotes } from './registry.ts';

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

describe('The registry', () => {
  const events = {
    isPinned: () => false,
    started: () => {},
    notStarted: () => {},
    changed: vi.fn<(session: Session) => void>(),
    removed: vi.fn<(session: Session) => void>(),
  } satisfies RegistryEvents;
  const notes = { begun: vi.fn(), attached: vi.fn(), ended: vi.fn() } satisfies SessionNotes;
  const registry = (changed: Partial<RegistryLimits> = {}): SessionRegistry => {
    vi.clearAllMocks();
    return new SessionRegistry({ ...limits, ...changed }, events, { home: null, notes });
  };
  const other = { ...owner, tokenId: 'other' };
  const attach = (session: Session): void =>
    session.attach({ connection: {}, remove: () => {} } as unknown as ConnectionTurn);

  it('[SE8] notes each session for a later gateway, and later its end', () => {
    const sessions = registry();
    const session = sessions.create('test', { ...owner, extra: 1 } as typeof owner);
    const { label, idHash } = session;
    expect(notes.begun).toHaveBeenCalledExactlyOnceWith({
      idHash,
      label,
      clientName: 'test',
      owner,
      isAttached: true,
    });
    sessions.detach(session);
    expect(notes.attached).toHaveBeenLastCalledWith(label, false);
    sessions.resume(session.id, owner);
    expect(notes.attached).toHaveBeenLastCalledWith(label, true);
    sessions.end(session);
    expect(notes.ended).toHaveBeenCalledExactlyOnceWith(label);
    expect(events.removed).toHaveBeenCalledExactlyOnceWith(session);
    expect(sessions.all()).toEqual([sessions.console]);
    expect(() => sessions.resume(session.id, owner)).toThrow('unknown session id');
    sessions.close();
  });

  it('[SE6] refuses to resume a session of another owner, an attached one and the console’s', () => {
    const sessions = registry();
    const session = sessions.create('test', owner);
    attach(session);
    expect(() => sessions.resume(session.id, other)).toThrow(`unknown session id ${session.id}`);
    expect(() => sessions.resume(session.id, owner)).toThrow('is already attached to another connection');
    expect(() => sessions.resume('x'.repeat(100), owner)).toThrow(/^unknown session id x{80}$/);
    const { console } = sessions;
    expect(() => sessions.resume(console.id, console.owner)).toThrow('unknown session id');
    sessions.close();
  });

  it('limits the sessions, in total and for one owner, and an ended one makes room', () => {
    const sessions = registry({ sessions: 4 });
    const each = [owner, other, { ...owner, tokenId: 'third' }];
    const [first] = each.map((by) => sessions.create('test', by));
    expect(() => {
      for (let more = 0; more < 4; more += 1) sessions.create('test', owner);
    }).toThrow(/^there are /);
    if (first) sessions.end(first);
    sessions.create('test', owner);
    sessions.close();
  });

  it('ends the longest detached empty session of an owner beyond the limit, and no others', () => {
    const sessions = registry({ emptySessionsPerToken: 2 });
    const mine = Array.from({ length: 3 }, () => sessions.create('test', owner));
    const others = sessions.create('test', other);
    for (const each of [others, ...mine.slice(0, 2)]) sessions.detach(each);
    expect(events.removed).not.toHaveBeenCalled();
    sessions.detach(mine[2] as Session);
    expect(events.removed).toHaveBeenCalledExactlyOnceWith(mine[0]);
    sessions.close();
    pass(10 * sessionTtlMs);
    expect(events.removed).toHaveBeenCalledTimes(1);
  });

  it('[SE8] restores a session of an earlier gateway, detached, under its id', () => {
    const sessions = registry();
    const id = 'an earlier id';
    const past = { idHash: hashOf(id), label: 's-past', clientName: 'test', owner, isAttached: true };
    const session = sessions.restore(past);
    expect([session.isAttached, session.label, session.clientName, session.owner]).toEqual([
      false,
      's-past',
      'test',
      owner,
    ]);
    expect(() => session.id).toThrow('not resumed');
    expect(notes.begun).not.toHaveBeenCalled();
    expect(sessions.resume(id, owner)).toBe(session);
    expect(session.id).toBe(id);
    pass(10 * sessionTtlMs);
    expect(events.removed).not.toHaveBeenCalled();
    const late = sessions.restore({ ...past, idHash: hashOf('late'), label: 's-late' });
    pass(sessionTtlMs + 1);
    expect(events.removed).toHaveBeenCalledExactlyOnceWith(late);
    sessions.close();
  });

  it('[KP3] restores more sessions than may be empty, since their processes are adopted later', () => {
    const sessions = registry({ emptySessionsPerToken: 2 });
    for (let n = 0; n < 4; n += 1)
      sessions.restore({ idHash: `${n}`, label: `s-${n}`, clientName: 'test', owner, isAttached: true });
    expect(notes.ended).not.toHaveBeenCalled();
    expect(sessions.all().length).toBe(5);
    sessions.close();
  });

  it('reissues the id of a detached session only', () => {
    const sessions = registry();
    const session = sessions.create('test', owner);
    attach(session);
    expect(sessions.reissue(session.label)).toBeNull();
    expect(sessions.reissue('nobody')).toBeNull();
    sessions.detach(session);
    const before = session.id;
    const id = sessions.reissue(session.label) ?? '';
    expect(notes.begun).toHaveBeenLastCalledWith({
      idHash: hashOf(id),
      label: session.label,
      clientName: 'test',
      owner,
      isAttached: false,
    });
    expect(() => sessions.resume(before, owner)).toThrow('unknown session id');
    expect(sessions.resume(id, owner)).toBe(session);
    sessions.close();
  });

  it('[KP3] notes a reissued session as attached while its owner is owed output of an earlier gateway', () => {
    const sessions = registry();
    const past = { idHash: 'hash', label: 's-past', clientName: 'test', owner, isAttached: true };
    const isOwed = vi.spyOn(sessions.restore(past), 'isOwed', 'get');
    for (const now of [true, false]) {
      isOwed.mockReturnValue(now);
      sessions.reissue('s-past');
      expect(notes.begun).toHaveBeenLastCalledWith(expect.objectContaining({ isAttached: now }));
    }
    sessions.close();
  });

  it('returns the client names of agents, and counts starting processes', () => {
    const sessions = registry();
    const session = sessions.create('test', owner);
    expect(sessions.clientNameOf(session.label)).toBe('test');
    expect(sessions.clientNameOf(sessions.console.label)).toBeNull();
    expect(sessions.clientNameOf('nobody')).toBeNull();
    expect([sessions.startingCount, session.processCount, session.liveCount]).toEqual([0, 0, 0]);
    expect(sessions.console).toMatchObject({
      label: 'console',
      isAttached: true,
      owner: { tokenId: 'gateway', name: 'gateway', role: 'admin' },
    });
    sessions.close();
  });
});
