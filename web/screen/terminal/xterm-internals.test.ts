// Internals of xterm.js: the page’s build and the gateway’s each have those that they use, and terminals work without
// them.
import { Terminal as Headless } from '@xterm/headless';
import { Terminal } from '@xterm/xterm';
import { afterEach, expect, it, vi } from 'vitest';
import { applyTerminalRules, TERMINAL_OPTIONS } from '../../../text/terminal-rules.ts';
import { internalsFor, missingInternals, type XtermFeature } from '../../../text/xterm-internals.ts';
import { ProgramKeys } from './program-keys.ts';
import { ScrollBarByFrame } from './scroll-bar.ts';

afterEach(() => void vi.restoreAllMocks());

/** Features of the gateway's build, which has no keyboard and no scrollbar. */
const SCREEN: XtermFeature[] = [
  ...(['alternate', 'counts', 'cells', 'links', 'cursor', 'screen', 'shifts', 'erasing'] as const),
];

it('the page’s xterm.js has all internals that are used before it is opened', () => {
  const terminal = new Terminal(TERMINAL_OPTIONS);
  expect(missingInternals(terminal, [...SCREEN, 'keys', 'scheme'])).toEqual([]);
});

it('the gateway’s xterm.js has all internals that are used', () => {
  expect(missingInternals(new Headless(TERMINAL_OPTIONS), SCREEN)).toEqual([]);
});

it('a terminal without the expected internals keeps working, and each missing one is reported once', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const real = new Headless({ ...TERMINAL_OPTIONS, rows: 3, cols: 20 });
  const renamed = new Proxy(real, {
    get(target, name) {
      if (name === '_core') return {};
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  }) as unknown as Terminal;
  applyTerminalRules(renamed);
  applyTerminalRules(renamed);
  expect(new ProgramKeys(renamed).spelt({ key: 'a' })).toBeNull();
  new ScrollBarByFrame().activate(renamed);
  await new Promise<void>((resolve) => real.write('\u001b[9999999Sone\u001b[1mtwo\u001b8', resolve));
  expect(real.buffer.active.getLine(0)?.translateToString(true)).toBe('onetwo');
  const reports = warn.mock.calls.map(([text]) => String(text));
  expect(new Set(reports).size).toBe(reports.length);
  expect(reports.join('\n')).toMatch(/lacks links: .*; the feature is disabled/);
});

it('missingInternals names the feature and the part, even for an object that is not an xterm.js terminal', () => {
  expect(missingInternals({}, ['scheme'])).toEqual([
    'scheme: coreService.decPrivateModes.colorSchemeUpdates',
    'scheme: _reportColorScheme',
  ]);
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  expect(internalsFor({ _core: { coreService: {} } }, 'scheme')).toBeNull();
});
