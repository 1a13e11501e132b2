// Requests that were finished before a restart, from entries of the audit log: rule AP25.
import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../protocol/audit.ts';
import { pastRequests } from './past-requests.ts';

const entry = (act: string, who: string, atMs: number, details: AuditEntry['details']): AuditEntry => ({
  number: 1,
  atMs,
  who,
  role: 'operator',
  token: 't',
  connection: 'c',
  from: 'here',
  act,
  key: null,
  ...(details && { details }),
});
const asked = (id: string, details: object = {}): AuditEntry =>
  entry('askApproval', 'bot', 1, {
    id,
    method: 'process/start',
    argv: ['make', id],
    cwd: '/src',
    reason: 'no rule allows it',
    clientName: 'codex',
    ...details,
  });
const decided = (act: string, id: string, decision: string, details: object = {}): AuditEntry =>
  entry(act, 'Ada', 2, { id, decision, argv: ['make', id], agent: 'bot', ...details });

describe('pastRequests', () => {
  it('[AP25] returns decided, refused and expired requests in the order in which they ended, with the name of the person who decided', () => {
    const found = pastRequests([
      asked('a'),
      asked('b'),
      asked('c'),
      asked('d'),
      asked('waits'),
      decided('decline', 'b', 'decline', { message: 'not now' }),
      entry('approvalOver', 'bot', 3, { id: 'c', method: 'process/start', state: 'expired' }),
      decided('approve', 'a', 'acceptForSession'),
      entry('approvalOver', 'bot', 4, { id: 'd', state: 'declined', by: 'Ada', reason: 'the rule forbids' }),
    ]);
    expect(found).toMatchObject([
      { id: 'b', state: 'declined', decision: 'decline', decidedBy: 'Ada', message: 'not now' },
      { id: 'c', state: 'expired', decision: null, decidedBy: null, decidedAtMs: 3 },
      { id: 'a', state: 'accepted', decision: 'acceptForSession', decidedAtMs: 2, createdAtMs: 1 },
      { id: 'd', state: 'declined', decision: null, decidedBy: 'Ada', message: 'the rule forbids' },
    ]);
    expect(found[2]).toMatchObject({
      kind: 'start',
      argv: ['make', 'a'],
      cwd: '/src',
      startedBy: 'bot',
      clientName: 'codex',
    });
  });

  it('[AP25] leaves out requests that were withdrawn or released', () => {
    const over = (id: string, details: object): AuditEntry =>
      entry('approvalOver', 'bot', 2, { id, ...details });
    expect(
      pastRequests([
        asked('a'),
        asked('b'),
        over('a', { state: 'withdrawn' }),
        over('b', { state: 'accepted', decision: 'released', by: 'Ada' }),
      ]),
    ).toEqual([]);
  });

  it('[AP25] derives the kind of each request from its method', () => {
    const methods = ['process/write', 'approvals/ask', 'fs/writeFile', 'http/request', 'command/exec'];
    const found = pastRequests(
      methods.flatMap((method) => [asked(method, { method }), decided('abort', method, 'abort')]),
    );
    expect(found.map(({ kind }) => kind)).toEqual(['input', 'tool', 'file', 'request', 'start']);
    expect(found[0]).toMatchObject({ state: 'aborted', input: null });
  });

  it('[AP25] returns a decided command when the audit log has only its decision', () => {
    expect(
      pastRequests([
        decided('approve', 'a', 'accept'),
        decided('approve', 'no command', 'accept', { argv: [] }),
      ]),
    ).toMatchObject([{ id: 'a', argv: ['make', 'a'], startedBy: 'bot', decidedBy: 'Ada' }]);
  });

  it('[AP25] ignores entries whose details are not those of a request', () => {
    expect(
      pastRequests([
        asked('a', { argv: 'make' }),
        decided('approve', 'a', 'maybe'),
        entry('approve', 'Ada', 1, undefined),
        entry('toString', 'Ada', 1, {}),
      ]),
    ).toEqual([]);
  });
});
