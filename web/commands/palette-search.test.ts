// A few letters find the command or the process that is meant; what was used last comes first.
import { describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { processInfo } from '../testing/process-info.ts';
import type { Command } from './command.ts';
import { MOST_OFFERED, offered, paletteItems } from './palette-search.ts';

const command = (id: string, title: string): Command => ({
  id,
  title,
  group: 'General',
  when: () => true,
  run: () => {},
});
const process = (key: string, argv: string[], label: string | null = null): ProcessInfo =>
  processInfo({ key, argv, label, startedAtMs: -Number(key) });

const commands = [
  command('help', 'Keyboard help'),
  command('zoom', 'Zoom this pane, and back'),
  command('closePane', 'Close this tab (the process runs on)'),
];
const processes = [
  process('1', ['npm', 'run', 'dev'], 'front end'),
  process('2', ['/bin/sh', '-c', 'cargo build --release']),
];
const found = (typed: string, recent: readonly string[] = []): readonly string[] =>
  offered(paletteItems(commands, processes, recent), typed, recent).map(({ item }) => item.id);

describe('the palette', () => {
  it('offers everything while nothing is typed, the last used first', () => {
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
  ])('finds for “%s” first %s', (typed, id) => {
    expect(found(typed)[0]).toBe(id);
  });

  it('finds nothing for what is nowhere', () => {
    expect(found('qqqq')).toEqual([]);
  });

  it('says which letters were typed', () => {
    const [first] = offered(paletteItems(commands, [], []), 'zoo', []);
    expect(first?.indexes).toEqual([0, 1, 2]);
  });

  it('offers no more than can be looked through', () => {
    const many = Array.from({ length: 500 }, (_, index) => process(`${index}`, ['sleep', `${index}`]));
    expect(offered(paletteItems([], many, []), 'sleep', [])).toHaveLength(MOST_OFFERED);
  });
});
