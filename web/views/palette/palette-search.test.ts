// Results of the palette for a few letters, and their order.
import { describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import type { Command } from '../../commands/command.ts';
import { MOST_OFFERED, offered, paletteItems } from '../../commands/palette-search.ts';

const command = (id: string, title: string, more: Partial<Command> = {}): Command => ({
  id,
  title,
  ...more,
  group: 'General',
  when: () => true,
  run: () => {},
});
const process = (key: string, argv: string[], label: string | null = null): ProcessInfo =>
  processInfo({ key, argv, label, startedAtMs: -Number(key) });

const commands = [
  command('help', 'Keyboard shortcuts'),
  command('zoom', 'Zoom this pane, and back'),
  command('closePane', 'Close this tab'),
];
const processes = [
  process('1', ['npm', 'run', 'dev'], 'front end'),
  process('2', ['/bin/sh', '-c', 'cargo build --release']),
];
const found = (typed: string, recent: readonly string[] = []): readonly string[] =>
  offered(paletteItems(commands, processes, recent), typed, recent).map(({ item }) => item.id);

describe('The palette', () => {
  it('offers everything while nothing is typed, with the last used command first', () => {
    expect(found('')).toEqual(['help', 'zoom', 'closePane', 'process-1', 'process-2']);
    expect(found('  ', ['closePane', 'gone'])).toEqual([
      'closePane',
      'help',
      'zoom',
      'process-1',
      'process-2',
    ]);
  });

  it.each([
    ['zoom', 'zoom'],
    ['clo tab', 'closePane'],
    ['front', 'process-1'],
    ['npm dev', 'process-1'],
    ['cargo rel', 'process-2'],
  ])('finds for “%s” %s as the first result', (typed, id) => {
    expect(found(typed)[0]).toBe(id);
  });

  it('shows the difference between processes of the same name', () => {
    const alike = [process('3', ['/bin/cat']), { ...process('4', ['cat']), pid: 12 }, ...processes];
    const distinctions = paletteItems(commands, alike, []).map(({ distinction }) => distinction);
    expect(distinctions.filter((distinction) => distinction !== null)).toHaveLength(2);
    expect(distinctions).toContain('PID 12');
  });

  it('finds nothing for letters that match no entry', () => {
    expect(found('qqqq')).toEqual([]);
  });

  it('finds a command by its synonyms, below commands with that word in their title', () => {
    const named = [
      command('text', 'Read as plain text', { words: 'copy select' }),
      command('copyAll', 'Copy all'),
    ];
    const ids = offered(paletteItems(named, [], []), 'cop', []).map(({ item }) => item.id);
    expect(ids).toEqual(['copyAll', 'text']);
    expect(offered(paletteItems(named, [], []), 'read sel', [])[0]?.indexes).toEqual([0, 1, 2, 3]);
  });

  it('offers a dangerous command only for matching words, and after harmless ones that match as well', () => {
    const some = [
      command('suspend', 'Suspend (SIGTSTP)', { isDangerous: true }),
      command('terminate', 'Terminate', { isDangerous: true, words: 'end' }),
      command('toTerminal', 'Back to the terminal'),
      command('toEnd', 'Go to the end'),
    ];
    const ids = (typed: string) =>
      offered(paletteItems(some, [], ['terminate']), typed, ['terminate']).map(({ item }) => item.id);
    expect(ids('end')).toEqual(['toEnd', 'terminate']);
    expect(ids('term')).toEqual(['toTerminal', 'terminate']);
    expect(ids('spnd')).toEqual([]);
    expect(ids('susp')).toEqual(['suspend']);
  });

  it('ranks an entry with the exact phrase above one with the words in another order', () => {
    const two = [
      command('move', 'Move the tab to the left, or to a new pane'),
      command('back', 'One to the left'),
    ];
    expect(
      offered(paletteItems(two.toReversed(), [], []), 'to the left', []).map(({ item }) => item.id),
    ).toEqual(['back', 'move']);
    expect(offered(paletteItems(two, [], []), 'one to the left', [])[0]?.item.id).toBe('back');
  });

  it('reports which letters matched', () => {
    const [first] = offered(paletteItems(commands, [], []), 'zoo', []);
    expect(first?.indexes).toEqual([0, 1, 2]);
  });

  it('limits the number of results', () => {
    const many = Array.from({ length: 500 }, (_, index) => process(`${index}`, ['sleep', `${index}`]));
    expect(offered(paletteItems([], many, []), 'sleep', [])).toHaveLength(MOST_OFFERED);
  });
});
