// The page works whatever the browser's storage does, with or without stored values.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { ofThisGateway, readStored, readText, writeStored, writeText } from './storage.ts';

function storage(stored: Map<string, string>, setItem?: () => void) {
  return {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: setItem ?? ((name: string, text: string) => void stored.set(name, text)),
    removeItem: (name: string) => void stored.delete(name),
  };
}

afterEach(() => void vi.unstubAllGlobals());

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 7);

it('readStored returns the validated value from the browser’s or the tab’s storage', () => {
  vi.stubGlobal('localStorage', storage(new Map([['n', '5']])));
  vi.stubGlobal('sessionStorage', storage(new Map()));
  expect(readStored('n', numberOf)).toBe(5);
  expect(readStored('n', numberOf, 'tab')).toBe(7);
  writeStored('n', 6, 'tab');
  expect([readStored('n', numberOf), readStored('n', numberOf, 'tab')]).toEqual([5, 6]);
  writeText('n', null);
  expect(readText('n')).toBe(null);
});

it.each([
  ['/', 'name'],
  ['/console/', 'name:/console/'],
  ['/a/console/index.html', 'name:/a/console/'],
])('ofThisGateway separates names by the path of the page: %s', (pathname, expected) => {
  vi.stubGlobal('location', { pathname });
  expect(ofThisGateway('name')).toBe(expected);
});

it('readStored treats an unreadable value as missing', () => {
  vi.stubGlobal('localStorage', storage(new Map([['n', '{"half']])));
  expect(readStored('n', numberOf)).toBe(7);
});

it('writeText retains a value that the browser refuses for the lifetime of the page', () => {
  const full = (): never => {
    throw new Error('QuotaExceededError');
  };
  vi.stubGlobal('localStorage', storage(new Map([['a', 'old']]), full));
  writeText('a', 'new');
  expect(readText('a')).toBe('new');
  writeText('a', null);
  expect(readText('a')).toBe(null);
});

it('values last as long as the page even when storage is denied altogether', () => {
  vi.stubGlobal('localStorage', {
    get getItem(): never {
      throw new Error('SecurityError');
    },
  });
  expect(readText('b')).toBe(null);
  writeText('b', 'text');
  expect(readText('b')).toBe('text');
});

it('[SH6] a guest’s values are stored only in the tab, and values of other people are not read', async () => {
  const [browser, tab] = [new Map([['n', '5']]), new Map<string, string>()];
  vi.stubGlobal('localStorage', storage(browser));
  vi.stubGlobal('sessionStorage', storage(tab));
  vi.stubGlobal('location', { pathname: '/', hash: '#share=x' });
  vi.resetModules();
  const guests = await import('./storage.ts');
  expect(guests.isGuest).toBe(true);
  expect(guests.readStored('n', numberOf)).toBe(7);
  guests.writeStored('n', 6);
  expect([browser.get('n'), tab.get('n')]).toEqual(['5', '6']);

  // A guest's tab stays a guest's after a reload without the fragment, until a sign-in link is opened.
  vi.stubGlobal('location', { pathname: '/', hash: '' });
  vi.resetModules();
  expect((await import('./storage.ts')).isGuest).toBe(true);
  vi.stubGlobal('location', { pathname: '/', hash: '#code=x' });
  vi.resetModules();
  expect((await import('./storage.ts')).isGuest).toBe(false);
});

it('[SH6] storage.ts is the only module that uses the browser’s storage, which a guest must not', () => {
  const web = join(import.meta.dirname, '../..');
  const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.tsx?$/.test(name),
  );
  expect(sources.length).toBeGreaterThan(200);
  const users = sources.filter((name) =>
    /\b(?:local|session)Storage\b/.test(readFileSync(join(web, name), 'utf8')),
  );
  // `testing/page.ts` clears the storage between tests of the page.
  expect(users.toSorted()).toEqual(['state/page/storage.ts', 'testing/page.ts']);
});
