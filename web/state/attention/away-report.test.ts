// Report of an absence: the outcome of each agent's processes and requests.
import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../protocol/approvals.ts';
import type { HistoryEntry } from '../../../protocol/history.ts';
import { approvalOf } from '../../testing/page-approvals.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { awayReport } from './away-report.ts';

const SINCE_MS = 1000;
const entry = (key: string, facts: Partial<HistoryEntry>): HistoryEntry => ({
  ...processInfo({ key, ...facts }),
  recordedBytes: 0,
  clientName: null,
  ...facts,
});
const ended = (key: string, facts: Partial<HistoryEntry> = {}): HistoryEntry =>
  entry(key, { state: 'closed', exitCode: 0, exitedAtMs: SINCE_MS, ...facts });
const keys = (entries: readonly { readonly key?: string | null }[]): unknown[] =>
  entries.map(({ key }) => key);

describe('awayReport', () => {
  it('sorts the processes of an agent by outcome', () => {
    const by = { who: 'ann', how: 'terminate', atMs: SINCE_MS } as const;
    const [report, ...others] = awayReport(
      [
        entry('runs', {}),
        entry('asks later', { waitsForInput: true }),
        entry('asks', { waitsForInput: true }),
        entry('held', { state: 'waiting-for-approval' }),
        ended('good'),
        ended('bad', { exitCode: 2 }),
        ended('ended', { exitCode: null, signal: 'SIGTERM', endedBy: by }),
        ended('gone', { state: 'lost', exitCode: null, exitedAtMs: null, lastOutputAtMs: SINCE_MS }),
      ],
      [],
      SINCE_MS,
    );
    expect(others).toEqual([]);
    expect(report).toMatchObject({ agent: 'agent', running: 1, requests: [], decided: [] });
    expect(keys(report?.waiting ?? [])).toEqual(['asks', 'asks later']);
    expect(keys(report?.failed ?? [])).toEqual(['bad', 'gone']);
    expect(keys(report?.stopped ?? [])).toEqual(['ended']);
    expect(keys(report?.succeeded ?? [])).toEqual(['good']);
  });

  it('leaves out a process that ended before the span', () => {
    expect(awayReport([ended('early', { exitedAtMs: SINCE_MS - 1 })], [], SINCE_MS)).toEqual([]);
  });

  it('lists decisions of the span, newest first, and waiting requests', () => {
    const decided = (turn: number, facts: Partial<Approval>): Approval =>
      approvalOf(turn, { startedBy: 'agent', clientName: '', decidedAtMs: SINCE_MS, ...facts });
    const approvals = [
      decided(1, { state: 'accepted', decision: 'accept', decidedAtMs: SINCE_MS - 1 }),
      decided(2, { state: 'accepted', decision: 'accept' }),
      decided(3, { state: 'withdrawn', decision: null }),
      decided(4, { state: 'accepted', decision: 'released' }),
      decided(5, { state: 'expired', decision: null }),
      decided(6, { state: 'waiting', decision: null, decidedAtMs: null }),
    ];
    const [report] = awayReport([], approvals, SINCE_MS);
    expect(report?.decided.map(({ id }) => id)).toEqual([approvals[4]?.id, approvals[1]?.id]);
    expect(report?.requests.map(({ id }) => id)).toEqual([approvals[5]?.id]);
  });

  it('lists agents that need a person first, then those with failures', () => {
    const report = awayReport(
      [
        ended('1', { clientName: 'calm' }),
        ended('2', { clientName: 'claude-code', exitCode: 1 }),
        entry('3', { clientName: 'codex', waitsForInput: true }),
      ],
      [],
      SINCE_MS,
    );
    expect(report.map(({ agent }) => agent)).toEqual(['Codex', 'Claude Code', 'calm']);
  });
});
