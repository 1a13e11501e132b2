// What became of many, in one line: who ended, who is still there by name and pid, what was refused.
import { expect, it } from 'vitest';
import { processInfo } from '../testing/process-info.ts';
import { questionText, reportOf } from './report.ts';

const MINUTE = 60_000;
const ended = { state: 'closed', allEndedAtMs: 5 } as const;
const survivor = { pid: 9, name: 'sleep' } as const;

const PROCESSES = {
  a: processInfo({ key: 'a', ...ended }),
  b: processInfo({ key: 'b', ...ended }),
  runs: processInfo({ key: 'runs', argv: ['make', 'all'], pid: 42 }),
  left: processInfo({ key: 'left', state: 'exited', terminatingSinceMs: 5, survivors: [survivor] }),
  away: processInfo({ key: 'away', ...ended, escaped: [survivor] }),
  held: processInfo({ key: 'held', argv: ['make', 'all'], ...ended, outputHeld: true }),
  lost: processInfo({ key: 'lost', state: 'lost' }),
};

it.each([
  [['a', 'b'], '2 ended', []],
  [['a', 'runs'], '1 ended, 1 still there: make all (42)', ['runs']],
  [['left'], '1 still there: sleep (9)', ['left']],
  [['a', 'away'], '2 ended, left and living on: sleep (9)', []],
  [['a', 'held'], '1 ended, output pipe still open: make all', []],
  [['a', 'lost', 'forgotten'], '2 ended, 1 lost', []],
  [
    ['runs', 'runs', 'runs', 'runs'],
    '4 still there: make all (42), make all (42), make all (42) and 1 more',
    ['runs', 'runs', 'runs', 'runs'],
  ],
] as const)('of %j: %s', (keys, text, there) => {
  const report = reportOf({ step: 'terminate', keys, refused: [] }, PROCESSES);
  expect(report.text).toBe(text);
  expect(report.there).toEqual(there);
});

it('says what was refused, and does not count it among the others', () => {
  const refused = [{ key: 'runs', problem: 'no \u202eway' }];
  expect(reportOf({ step: 'kill', keys: ['a', 'runs'], refused }, PROCESSES).text).toBe(
    '1 ended, 1 refused (no \\u202eway): make all',
  );
});

it('asks of one by its work, of many by the most', () => {
  const old = processInfo({ startedAtMs: 0 });
  const young = processInfo({ startedAtMs: 119 * MINUTE });
  expect(questionText('Terminate', [old], 120 * MINUTE)).toBe('Terminate? 2 h 00 m of work');
  expect(questionText('Kill', [old, young], 120 * MINUTE)).toBe('Kill 2? Up to 2 h 00 m of work');
});
