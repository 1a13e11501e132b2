// Browser storage for this page. It never fails: values that cannot be stored last as long as the page, and unreadable
// ones count as missing.

/** Kind of storage; `tab`: this tab, across reloads; `browser`: all pages of this origin, until cleared. */
type Keeper = 'tab' | 'browser';

/**
 * Returns a storage name specific to one gateway: behind a proxy, one origin may have several gateways under different
 * paths.
 */
export function ofThisGateway(name: string): string {
  const path = typeof location === 'undefined' ? '/' : location.pathname;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return folder === '/' ? name : `${name}:${folder}`;
}

/** Flag of a tab in which a share link was opened; a sign-in link removes it. */
const GUEST = ofThisGateway('exec-console.guest');

/**
 * True when this page was opened through a share link. Such a page stores nothing beyond its tab, since the browser
 * may belong to a person with their own credential, layout and settings.
 */
export const isGuest: boolean = becomesGuest();

/** Makes the next page in this tab a regular one. */
export function leaveGuest(): void {
  try {
    sessionStorage.removeItem(GUEST);
  } catch {
    // There is no flag to remove without storage.
  }
}

/** Returns true when the browser stores this value for regular pages, not opened through a share link. */
export function isStoredElsewhere(name: string): boolean {
  try {
    return localStorage.getItem(name) !== null;
  } catch {
    return false;
  }
}

function becomesGuest(): boolean {
  if (typeof location === 'undefined') return false;
  const isBy = (name: string): boolean => location.hash.startsWith(`#${name}=`);
  try {
    if (isBy('share')) sessionStorage.setItem(GUEST, 'true');
    if (isBy('code')) sessionStorage.removeItem(GUEST);
    return sessionStorage.getItem(GUEST) !== null;
  } catch {
    return isBy('share');
  }
}

/** Values that the browser refused to store, for the lifetime of the page. */
const refused = new Map<string, string>();

export function readText(name: string, keeper: Keeper = 'browser'): string | null {
  const own = refused.get(`${keeper} ${name}`);
  if (own !== undefined) return own;
  try {
    return storageOf(keeper).getItem(name);
  } catch {
    return null;
  }
}

/** Stores text; null removes it. */
export function writeText(name: string, text: string | null, keeper: Keeper = 'browser'): void {
  refused.delete(`${keeper} ${name}`);
  try {
    if (text === null) storageOf(keeper).removeItem(name);
    else storageOf(keeper).setItem(name, text);
  } catch {
    if (text !== null) refused.set(`${keeper} ${name}`, text);
  }
}

/** Reads a value; `parse` receives whatever any page stored, or undefined when nothing is readable. */
export function readStored<T>(name: string, parse: (value: unknown) => T, keeper: Keeper = 'browser'): T {
  const text = readText(name, keeper);
  return parse(text === null ? undefined : parsed(text));
}

export const writeStored = (name: string, value: unknown, keeper: Keeper = 'browser'): void =>
  writeText(name, JSON.stringify(value), keeper);

/** Calls `changed` when another page of this browser has stored or removed the value under this name. */
export function onStoredByOthers(name: string, changed: () => void): void {
  if (typeof window === 'undefined') return;
  window.addEventListener('storage', ({ key }) => {
    if (key === name) changed();
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the storage; a guest's is always that of the tab. If storage is denied, even accessing the property
 * throws.
 */
const storageOf = (keeper: Keeper): Storage => (keeper === 'tab' || isGuest ? sessionStorage : localStorage);
