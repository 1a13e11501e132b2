// A saved layout is restored with its processes, or with live ones that run the same command.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { group, placePane } from './layout-tree.ts';

const storage = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => void storage.set(key, value),
});
const { deleteLayout, layoutAgain, MOST_SAVED, parseSaved, renameLayout, savedLayouts, saveLayout } =
  await import('./saved-layouts.ts');

const info = (
  key: string,
  command: string,
  state: ProcessInfo['state'] = 'running',
  startedAtMs = 0,
): ProcessInfo => processInfo({ key, argv: [command], state, startedAtMs });
const known = (...infos: ProcessInfo[]): { [key: string]: ProcessInfo } =>
  Object.fromEntries(infos.map((each) => [each.key, each]));

const layout = placePane(group(['server', 'tests']), 'tests', 'server', 'right');
const names = (): readonly string[] => savedLayouts.getState().saved.map(({ name }) => name);
const [SERVER, TESTS] = [info('server', 'serve'), info('tests', 'test')];

beforeEach(() => {
  storage.clear();
  savedLayouts.setState({ saved: [] });
});

function savedAs(name: string) {
  saveLayout(name, layout, known(SERVER, TESTS));
  const saved = savedLayouts.getState().saved.find((each) => each.name === name);
  if (!saved) throw new Error('it was not saved');
  return saved;
}

describe('A saved layout', () => {
  it('is restored unchanged, even from the browser’s storage', () => {
    savedAs('dev');
    const [read] = parseSaved(JSON.parse(storage.get('exec-console.layouts') ?? 'null'));
    expect(read && layoutAgain(read, known(SERVER, TESTS))).toEqual(layout);
  });

  it('replaces an ended process with the newest one that runs the same command in the same folder', () => {
    const again = layoutAgain(
      savedAs('dev'),
      known(info('server', 'serve', 'closed'), info('s2', 'serve', 'running', 2), info('s1', 'serve'), TESTS),
    );
    expect(again).toMatchObject({ first: { keys: ['s2'] }, second: { keys: ['tests'] } });
  });

  it('shows an ended process that has no replacement, and omits an unknown one', () => {
    expect(layoutAgain(savedAs('dev'), known(info('server', 'serve', 'closed')))).toEqual(group(['server']));
    expect(layoutAgain(savedAs('dev'), {})).toBeNull();
  });

  it('uses no process twice', () => {
    const two = group(['a', 'b']);
    saveLayout('twins', two, known(info('a', 'same'), info('b', 'same')));
    const [saved] = savedLayouts.getState().saved;
    expect(saved && layoutAgain(saved, known(info('c', 'same')))).toEqual(group(['c']));
    expect(saved && layoutAgain(saved, known(info('a', 'same'), info('c', 'same')))).toEqual(
      group(['a', 'c']),
    );
  });

  it('is replaced, renamed and deleted by name', () => {
    savedAs('one');
    savedAs('two');
    savedAs('one');
    expect(names()).toEqual(['one', 'two']);
    renameLayout('one', 'three');
    expect(names()).toEqual(['three', 'two']);
    deleteLayout('three');
    expect(names()).toEqual(['two']);
  });

  it('counts towards a limit, beyond which none is saved and none is dropped', () => {
    for (let index = 0; index < MOST_SAVED; index += 1) savedAs(`layout ${index}`);
    const full = names();
    expect(full).toHaveLength(MOST_SAVED);
    expect(saveLayout('one more', layout, known(SERVER, TESTS))).toBe(false);
    expect(names()).toEqual(full);
    expect(saveLayout('layout 0', layout, known(SERVER, TESTS))).toBe(true);
    expect(names()[0]).toBe('layout 0');
  });

  it.each([
    undefined,
    'text',
    {},
    [5, null, { name: 'x' }, { name: '', layout: { kind: 'pane', key: 'a' } }],
  ])('is not read from %j', (stored) => {
    expect(parseSaved(stored)).toEqual([]);
  });
});
