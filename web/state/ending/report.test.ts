// Text of a report on a step, for several processes or one, and of a confirmation.
import { expect, it } from 'vitest';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { questionText, reportOf } from './report.ts';

const MINUTE = 60_000;
const ended = { state: 'closed', allEndedAtMs: 5 } as const;
const survivor = { pid: 9, name: 'sleep' } as const;

const PROCESSES = {
  a: processInfo({ key: 'a', ...ended }),
  b: processInfo({ key: 'b', ...ended }),
  long: processInfo({ key: 'long', argv: ['sh', '-c', 'echo a rather long command line'], ...ended }),
  runs: processInfo({ key: 'runs', argv: ['make', 'all'], pid: 42 }),
  left: processInfo({ key: 'left', state: 'exited', terminatingSinceMs: 5, survivors: [survivor] }),
  away: processInfo({ key: 'away', ...ended, escaped: [survivor] }),
  held: processInfo({ key: 'held', argv: ['make', 'all'], ...ended, outputHeld: true }),
  lost: processInfo({ key: 'lost', state: 'lost' }),
};

it.each([
  [['a', 'b'], '2 ended: “npm test”, “npm test”', []],
  [['a', 'long', 'b', 'a'], '4 ended: “npm test”, “echo a rather long comma…”, “npm test” and 1 more', []],
  [['a', 'forgotten'], '2 ended: “npm test”', []],
  [['a', 'runs'], '1 ended, 1 still running: make all (42)', ['runs']],
  [['left', 'a'], '1 ended, 1 still running: sleep (9)', ['left']],
  [['a', 'away'], '2 ended, still running outside the OS session: sleep (9)', []],
  [['a', 'held'], '1 ended, output pipe still open: make all', []],
  [['a', 'lost', 'forgotten'], '2 ended, 1 lost', []],
  [
    ['runs', 'runs', 'runs', 'runs'],
    '4 still running: make all (42), make all (42), make all (42) and 1 more',
    ['runs', 'runs', 'runs', 'runs'],
  ],
] as const)('the report on %j is “%s”', (keys, text, there) => {
  const report = reportOf({ step: 'terminate', keys, refused: [] }, PROCESSES);
  expect(report.text).toBe(text);
  expect(report.there).toEqual(there);
});

it('the report splits no character of a long name', () => {
  const emoji = processInfo({ key: 'emoji', label: `x${'\u{1f389}'.repeat(20)}`, ...ended });
  expect(reportOf({ step: 'terminate', keys: ['emoji', 'emoji'], refused: [] }, { emoji }).text).toContain(
    `: “x${'\u{1f389}'.repeat(11)}…”, `,
  );
});

it('the report names a single process once the step has ended it', () => {
  const act = { who: 'Ada', how: 'terminate', atMs: 5 } as const;
  const one = processInfo({ key: 'one', label: 'db', endedBy: act, ...ended });
  const textOf = (info: ProcessInfo): string =>
    reportOf({ step: 'terminate', keys: ['one'], refused: [] }, { one: info }).text;
  expect(textOf(one)).toBe('Terminated “db”');
  expect(textOf({ ...one, endedBy: { ...act, how: 'kill' } })).toBe('Killed “db”');
  expect(textOf({ ...one, escaped: [survivor] })).toBe(
    'Terminated “db”; still running outside the OS session: sleep (9)',
  );
  expect(textOf({ ...one, state: 'running' })).toBe('');
  expect(textOf({ ...one, endedBy: null })).toBe('');
});

it('the report names refusals, and does not count them among the others', () => {
  const refused = [{ key: 'runs', problem: 'no \u202eway' }];
  expect(reportOf({ step: 'kill', keys: ['a', 'runs'], refused }, PROCESSES).text).toBe(
    '1 ended, 1 refused (no \\u202eway): make all',
  );
});

it('the confirmation names the processes that would be ended, and how long they have run', () => {
  const old = processInfo({ argv: ['make', 'build'], startedAtMs: 0 });
  const young = processInfo({ label: 'db', startedAtMs: 119 * MINUTE });
  const asked = (name: string, infos: readonly ProcessInfo[], note = ''): string => {
    const text = questionText({ name, note }, infos, 120 * MINUTE);
    return `${text.verb} ${text.before}${text.name}${text.after}${text.note}? ${text.ran}`;
  };
  expect(asked('Terminate', [old])).toBe('Terminate “make build”? It has run for 2h 00m');
  expect(asked('Restart', [young], ' (stops it first)')).toBe(
    'Restart “db” (stops it first)? It has run for 1m 00s',
  );
  expect(asked('Kill', [old, young])).toBe(
    'Kill 2 processes (“make build”, “db”)? The longest has run for 2h 00m',
  );
});
