// The browser's storage for this page. It never fails: full, denied or unreadable storage acts as if it were empty.

/** Storage; `tab`: this tab over a reload; `browser`: all of this origin, until it is cleared. */
type Keeper = 'tab' | 'browser';

/** Returns the name for data of one gateway: behind a proxy one origin may have several, each under its own path. */
export function ofThisGateway(name: string): string {
  const path = typeof location === 'undefined' ? '/' : location.pathname;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return folder === '/' ? name : `${name}:${folder}`;
}

/** Mark of a tab in which a share link was opened; a sign-in link removes it. */
const GUEST = ofThisGateway('exec-console.guest');

/**
 * True when this page was opened by a share link. Such a page stores nothing beyond its tab: the browser may belong to
 * somebody with a credential, a layout and settings of their own.
 */
export const isGuest: boolean = becomesGuest();

/** Makes the next page in this tab no guest. */
export function leaveGuest(): void {
  try {
    sessionStorage.removeItem(GUEST);
  } catch {
    // Without storage there is no mark to remove.
  }
}

/** True when the browser stores this for pages that were not opened by a share link. */
export function isKeptElsewhere(name: string): boolean {
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

/** Stores a text; null removes it. */
export function writeText(name: string, text: string | null, keeper: Keeper = 'browser'): void {
  refused.delete(`${keeper} ${name}`);
  try {
    if (text === null) storageOf(keeper).removeItem(name);
    else storageOf(keeper).setItem(name, text);
  } catch {
    if (text !== null) refused.set(`${keeper} ${name}`, text);
  }
}

/** Reads a value; `parse` gets whatever was stored, by any page, or undefined when nothing is readable. */
export function readStored<T>(name: string, parse: (value: unknown) => T, keeper: Keeper = 'browser'): T {
  const text = readText(name, keeper);
  return parse(text === null ? undefined : parsed(text));
}

export const writeStored = (name: string, value: unknown, keeper: Keeper = 'browser'): void =>
  writeText(name, JSON.stringify(value), keeper);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the storage. Where storage is denied, even the access to the property throws. */
const storageOf = (keeper: Keeper): Storage => (keeper === 'tab' || isGuest ? sessionStorage : localStorage);
