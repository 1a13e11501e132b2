// Words of the filter: fields, syntax, and combinations.
import { describe, expect, it } from 'vitest';
import { FAILED, processInfo, TERMINATED } from '../../../protocol/testing/process-info.ts';
import { whyNone } from './filter-reason.ts';
import { filterWord, filterWords, parseFilter, withCompleted, withToggled } from './process-filter.ts';

const info = processInfo({
  label: 'Nightly Build',
  metadata: { threadId: 'T-1', toolCallId: 'call_1' },
  argv: ['make', 'all'],
  cwd: '/repo/my app',
  ...FAILED,
});
const ORIGIN = { isLeft: false, clientName: 'Codex', threadTitle: 'npm ci --omit=dev' };
const NOWHERE = { isLeft: false, clientName: '', threadTitle: '' };
const matches = (text: string): boolean => parseFilter(text)(info, ORIGIN);

describe('parseFilter', () => {
  it.each([
    '',
    'make',
    'NIGHTLY all',
    'agent:codex',
    'agent:agent',
    'thread:t-1',
    'thread:"npm ci"',
    'thread:NPM status:failed',
    'call:call_1 status:failed',
    'status:running status:failed',
    'status:done',
    'state:done',
    'State:failed -state:running !state:lost',
    'command:make',
    'folder:"my app"',
    'label:"nightly build"',
    '!cargo -status:running',
    '-"no such words" !folder:x',
    '-',
    '! -status: !label: -""',
  ])('finds the process by %j', (text) => expect(matches(text)).toBe(true));
  it.each([
    'cargo',
    'agent:make',
    'thread:t-2',
    'npm',
    '-thread:npm',
    'label:nightly status:running',
    'folder:codex',
    'url:x',
    '!make',
    '!"make all"',
    '-"make all"',
    '-status:failed',
    '-Status:failed',
    '!status:failed',
    'status:succeeded',
    'state:succeeded',
    '-state:failed',
    'folder:"my  app"',
  ])('does not find the process by %j', (text) => expect(matches(text)).toBe(false));
  it.each([
    ['thread', 'T-1'],
    ['label', 'Nightly Build'],
    ['folder', '/repo/my app'],
  ] as const)('finds a process by the word made from its %s', (place, value) => {
    expect(matches(filterWord(place, value))).toBe(true);
  });
  it('finds an id with hidden characters by its escaped form', () => {
    const word = filterWord('call', 'a\u202eb');
    expect(word).toBe('call:a\\u202eb');
    const hides = processInfo({ metadata: { toolCallId: 'a\u202eb' } });
    expect(parseFilter(word)(hides, NOWHERE)).toBe(true);
  });
  it('finds a waiting process by its status', () => {
    const waits = processInfo({ waitsForInput: true });
    expect(parseFilter('status:waiting')(waits, NOWHERE)).toBe(true);
    expect(matches('status:waiting')).toBe(false);
    // A waiting process counts only as waiting, as in the filter chips.
    expect(parseFilter('status:running')(waits, NOWHERE)).toBe(false);
  });
  it.each([
    [['python3', '-q'], 'python3 -q'],
    [['grep', '-r', 'status'], 'grep -r'],
    [['docker', 'run', '-p', '8080:80', '-e', 'A=b'], '-p 8080:80 -e'],
    [['gcc', '-DMODE:x', '--', 'a.c'], '-DMODE:x --'],
    [['find', '.', '-name', "it's"], "-name it's"],
    [['git', 'log', '-1'], '-1'],
  ])('finds %j by its command-line options', (argv, text) => {
    expect(parseFilter(text)(processInfo({ argv }), NOWHERE)).toBe(true);
    expect(parseFilter(text)(processInfo({ argv: ['sleep', '9'] }), NOWHERE)).toBe(false);
  });
  it('finds a process that is being terminated by its status, but not by the person’s name', () => {
    const info = processInfo({
      terminatingSinceMs: 5,
      acts: [{ who: 'failed', how: 'terminate', atMs: 5, afterSeq: 0 }],
    });
    const has = (text: string): boolean => parseFilter(text)(info, NOWHERE);
    expect([has('status:running'), has('status:terminating'), has('status:failed')]).toEqual([
      true,
      true,
      false,
    ]);
  });
  it('finds a process ended by a person as stopped, but not by a status equal to the person’s name', () => {
    const has = (text: string): boolean => {
      const stopped = { ...TERMINATED, endedBy: { ...TERMINATED.endedBy, who: 'failed' } };
      return parseFilter(text)(processInfo(stopped), NOWHERE);
    };
    expect(['status:stopped', 'status:done', 'status:terminate'].filter(has)).toHaveLength(3);
    expect(['status:failed', 'status:succeeded', 'status:running'].filter(has)).toEqual([]);
  });
});

it('filterWords reads fields, quotes and exclusions', () => {
  expect(
    filterWords('a -folder:"b c" "d e" - !f -"g h" -i').map(({ place, value, isWithout }) => [
      place,
      value,
      isWithout,
    ]),
  ).toEqual([
    [null, 'a', false],
    ['folder', 'b c', true],
    [null, 'd e', false],
    [null, '-', false],
    [null, 'f', true],
    [null, 'g h', true],
    [null, '-i', false],
  ]);
});

describe('whyNone', () => {
  const reason = (text: string) => whyNone(text, [info, processInfo({ argv: ['sleep', '9'] })], () => ORIGIN);
  const why = (text: string): string => reason(text).text;
  it.each([
    ['make nope', 'No process matches “nope”.'],
    ['thread:x make', 'No process matches “thread:x”.'],
    ['!codex', '“!codex” excludes all 2 processes.'],
    ['-agent:codex', '“-agent:codex” excludes all 2 processes.'],
    ['status:stopped status:succeeded', 'No process matches “status:stopped status:succeeded”.'],
    ['make sleep', 'No process matches all of “make sleep”.'],
    ['\u202enope', 'No process matches “\\u202enope”.'],
    ['localhost:3000', 'No process matches “localhost:3000”.'],
    ['https://x.example', 'No process matches “https://x.example”.'],
    ['"state:failed"', 'No process matches "state:failed".'],
    ['"a b"', 'No process matches "a b".'],
  ])('names the part of “%s” that excludes everything', (text, given) => expect(why(text)).toBe(given));

  it.each([
    ['status:bogus', 'bogus'],
    ['make status:failedly status:x', 'failedly'],
  ])('reports for “%s” that there is no status “%s”, and lists the statuses', (text, status) =>
    expect(why(text)).toBe(
      `There is no status “${status}”. Statuses are waiting, failed, running, succeeded, stopped, terminating, lost, left.`,
    ),
  );
  it.each(['status:done !make', 'STATUS:Run make'])(
    'reports no unknown status for “%s”, which has a valid one',
    (text) => expect(why(text)).toBe(`No process matches all of “${text}”.`),
  );

  it.each([
    ['make Is:FAILED', 'Is', 'make status:FAILED'],
    ['name:python3', 'name', 'command:python3'],
    ['is:unseen', 'is', null],
    ['is:running', 'is', 'status:running'],
    ['-is:running', 'is', '-status:running'],
    ['agnet:codex', 'agnet', 'agent:codex'],
    ['fold:"my app"', 'fold', 'folder:"my app"'],
    ['build:prod', 'build', null],
  ])('reports for “%s” that there is no field “%s”, and suggests %j', (text, name, meant) => {
    expect(why(text)).toMatch(new RegExp(`^There is no field “${name}”.* Fields are status, agent, folder`));
    expect(reason(text).meant).toBe(meant);
  });
});

it.each([
  ['-python3', '!python3'],
  ['make -nope', 'make !nope'],
  ['-make', '!make'],
  ['--make', null],
  ['nope', null],
  ['make -make', null],
])('suggests, for “%s”, which is read as text, the excluding filter %j', (text, meant) => {
  const none = [info, processInfo({ argv: ['sleep', '9'] })];
  expect(whyNone(text, none, () => ORIGIN).meant).toBe(meant);
});

it.each([
  ['', 'a:b'],
  ['npm fol', 'npm a:b'],
  ['npm ', 'npm a:b'],
  ['npm folder:"my sh', 'npm a:b'],
  ['-"x y" folder:"my shop"', '-"x y" a:b'],
])('withCompleted replaces the last word: %s', (typed, completed) => {
  expect(withCompleted(typed, 'a:b')).toBe(completed);
});

it('withToggled removes a word that is present, and adds one that is not', () => {
  expect(withToggled('npm', 'status:failed')).toBe('npm status:failed');
  expect(withToggled('npm Status:Failed x', 'status:failed')).toBe('npm x');
});

it('a running process counts as left when its agent has disconnected, and an ended process does not', () => {
  const left = { ...ORIGIN, isLeft: true };
  const running = processInfo({ state: 'running' });
  expect(parseFilter('status:left')(running, left)).toBe(true);
  expect(parseFilter('status:left')(running, ORIGIN)).toBe(false);
  expect(parseFilter('status:left')(processInfo({ state: 'closed', exitCode: 0 }), left)).toBe(false);
});
