// The filter's words: where they look, how they are written, and what several of them mean.
import { describe, expect, it } from 'vitest';
import { FAILED, processInfo, TERMINATED } from '../testing/process-info.ts';
import { filterWord, filterWords, parseFilter, withToggled } from './process-filter.ts';

const info = processInfo({
  label: 'Nightly Build',
  metadata: { threadId: 'T-1', toolCallId: 'call_1' },
  argv: ['make', 'all'],
  cwd: '/repo/my app',
  ...FAILED,
});
const matches = (text: string): boolean => parseFilter(text)(info, { clientName: 'Codex' });

describe('parseFilter', () => {
  it.each([
    '',
    'make',
    'NIGHTLY all',
    'agent:codex',
    'agent:agent',
    'thread:t-1',
    'call:call_1 status:failed',
    'status:running status:failed',
    'status:done',
    'command:make',
    'folder:"my app"',
    'label:"nightly build"',
    '-cargo -status:running',
  ])('finds it by %j', (text) => expect(matches(text)).toBe(true));
  it.each([
    'cargo',
    'agent:make',
    'thread:t-2',
    'label:nightly status:running',
    'folder:codex',
    'url:x',
    '-make',
    '-status:failed',
    'status:succeeded',
    'folder:"my  app"',
  ])('does not find it by %j', (text) => expect(matches(text)).toBe(false));
  it.each([
    ['thread', 'T-1'],
    ['label', 'Nightly Build'],
    ['folder', '/repo/my app'],
  ] as const)('finds what a word for a %s was made of', (place, value) => {
    expect(matches(filterWord(place, value))).toBe(true);
  });
  it('shows nothing raw of what somebody else chose, and finds it all the same', () => {
    const word = filterWord('call', 'a\u202eb');
    expect(word).toBe('call:a\\u202eb');
    const hides = processInfo({ metadata: { toolCallId: 'a\u202eb' } });
    expect(parseFilter(word)(hides, { clientName: '' })).toBe(true);
  });
  it('finds by its status one that waits', () => {
    const waits = processInfo({ waitsForInput: true });
    expect(parseFilter('status:waiting')(waits, { clientName: '' })).toBe(true);
    expect(matches('status:waiting')).toBe(false);
    // As the chips count them: each in one place.
    expect(parseFilter('status:running')(waits, { clientName: '' })).toBe(false);
  });
  it('finds as stopped what somebody has ended, and by no status that is their name', () => {
    const has = (text: string): boolean => {
      const stopped = { ...TERMINATED, endedBy: { ...TERMINATED.endedBy, who: 'failed' } };
      return parseFilter(text)(processInfo(stopped), { clientName: '' });
    };
    expect(['status:stopped', 'status:done', 'status:terminate'].filter(has)).toHaveLength(3);
    expect(['status:failed', 'status:succeeded', 'status:running'].filter(has)).toEqual([]);
  });
});

it('reads words as they are written', () => {
  expect(
    filterWords('a -folder:"b c" "d e" -').map(({ place, value, isWithout }) => [place, value, isWithout]),
  ).toEqual([
    [null, 'a', false],
    ['folder', 'b c', true],
    [null, 'd e', false],
    [null, '-', false],
  ]);
});

it('takes a word away when it is there, and adds it when it is not', () => {
  expect(withToggled('npm', 'status:failed')).toBe('npm status:failed');
  expect(withToggled('npm Status:Failed x', 'status:failed')).toBe('npm x');
});
