// Processes of an earlier gateway, restored with their termination, exit and terminal size.
import { expect, it, onTestFinished } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import type { ChildEvents } from '../host/child.ts';
import { osProcess } from '../host/os-process.ts';
import { Process } from '../keeper/process.ts';
import type { Sealed } from '../keeper/seq-journal.ts';
import { DESCRIPTION } from '../testing/started-process.ts';
import { specOf, startChild } from '../testing/test-child.ts';
import { goneChild } from './gone-child.ts';

const EXIT = { code: 143, signal: 'SIGTERM' };
const NONE = { acts: null, typed: [], terminating: null, exitedAtMs: null, ranOutAtMs: null, size: null };

/** Returns a process that an earlier gateway started. `stranger`: its PID, which belongs to another process by now. */
function restored(): { process: Process; events: ChildEvents; noted: Sealed[]; stranger: number } {
  const { child } = startChild(specOf(['sleep', '60']));
  onTestFinished(() => child.signalGroup(child.pid, 'SIGKILL'));
  const noted: Sealed[] = [];
  let events!: ChildEvents;
  const process = new Process(DESCRIPTION, specOf(['sleep', '60']), DEFAULT_LIMITS, {
    key: 'k',
    startedAtMs: Date.now() - 60_000,
    begin: (given) => {
      events = given;
      return goneChild(child.pid, 0, false);
    },
    journal: { add: (sealed) => noted.push(sealed) },
    notes: { acted: () => {}, typed: () => {} },
  });
  return { process, events, noted, stranger: child.pid };
}

it('[PR10] a termination that goes on ends no other process that has the PID of the leader by now', () => {
  const { process, stranger } = restored();
  const exitedAtMs = Date.now() - 30_000;
  const terminating = { sinceMs: exitedAtMs - 10, killAtMs: exitedAtMs, isEscapedToo: false };
  process.restore({ ...NONE, terminating, exitedAtMs });
  expect(osProcess(stranger)?.pid).toBe(stranger);
});

it('[KP14] a termination that is complete keeps its time, and the person who requested it', () => {
  const { process, events } = restored();
  const endedAtMs = Date.now() - 30_000;
  const by = { who: 'Ada', how: 'terminate', atMs: endedAtMs - 10 } as const;
  const soFar = { lastEnding: by, terminatedBy: by, hasGoneOn: false, endedBy: null };
  const acts = { all: [{ ...by, afterSeq: 0 }], ...soFar };
  const terminating = { sinceMs: by.atMs, killAtMs: by.atMs, isEscapedToo: false, endedAtMs };
  process.restore({ ...NONE, acts, terminating, exitedAtMs: endedAtMs });
  events.onExit({ code: 3, signal: null }, endedAtMs);
  expect([process.termination, process.allEndedAtMs, process.endedBy]).toEqual([null, endedAtMs, by]);
});

it('[KP1] an exit while there was no gateway has its own time, also in the notes for the next gateway', () => {
  const { process, events, noted } = restored();
  const exitedAtMs = Date.now() - 30_000;
  process.restore({ ...NONE, exitedAtMs });
  events.onExit(EXIT, exitedAtMs);
  expect(process.exitedAtMs).toBe(exitedAtMs);
  expect(noted).toMatchObject([{ kind: 'exited', atMs: exitedAtMs }]);
});

it('[KP3] a terminal has the size that it has in the keeper, even if its newest output is not replayed', () => {
  const { process } = restored();
  const size = { rows: 40, cols: 120 };
  process.restore({ ...NONE, size });
  expect(process.size).toEqual(size);
});
