// The width of the list is stored, and always within usable bounds.
import { beforeEach, expect, it, vi } from 'vitest';

const storage = new Map<string, string>();
beforeEach(() => {
  storage.clear();
  vi.unstubAllGlobals();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
  });
  vi.resetModules();
});
const load = () => import('./sidebar-width.ts');

it('the width is the default until a person chooses one, which is stored for the next page', async () => {
  const first = await load();
  expect(first.sidebarWidth.getState().width).toBe(first.SIDEBAR.usual);
  first.setSidebarWidth(500.4);
  vi.resetModules();
  expect((await load()).sidebarWidth.getState().width).toBe(500);
});

it('[SH6] a guest changes the width only for their tab', async () => {
  storage.set('exec-console.sidebar-width', '400');
  const tab = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => void tab.set(key, value),
  });
  vi.stubGlobal('location', { pathname: '/', hash: '#share=x' });
  const { sidebarWidth, setSidebarWidth, SIDEBAR } = await load();
  expect(sidebarWidth.getState().width).toBe(SIDEBAR.usual);
  setSidebarWidth(500);
  expect(storage.get('exec-console.sidebar-width')).toBe('400');
  expect(tab.get('exec-console.sidebar-width')).toBe('500');
});

it.each([
  ['-3', 'least'],
  ['99999', 'most'],
  ['wide', 'usual'],
] as const)('a stored width of %s yields the %s width', async (stored, which) => {
  storage.set('exec-console.sidebar-width', stored);
  const { sidebarWidth, SIDEBAR } = await load();
  expect(sidebarWidth.getState().width).toBe(SIDEBAR[which]);
});
