// What the browser keeps for this page, and never a failure for it: full, denied or unreadable, it is as if nothing had been kept.

/** `tab`: this tab over a reload; `browser`: all of this origin, until it is cleared. */
type Keeper = 'tab' | 'browser';

/** The name for what belongs to one gateway: behind a proxy one origin may show several, each below a path of its own. */
export function ofThisGateway(name: string): string {
  const path = typeof location === 'undefined' ? '/' : location.pathname;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return folder === '/' ? name : `${name}:${folder}`;
}

/** A tab that a share's link was opened in; another link makes it another's. */
const GUEST = ofThisGateway('exec-console.guest');

/**
 * Whether this page came by a share. Such a page keeps nothing beyond its tab: the browser may be that of somebody with
 * a credential, a layout and settings of their own.
 */
export const isGuest: boolean = becomesGuest();

/** For the next page in this tab: it is nobody's guest. */
export function leaveGuest(): void {
  try {
    sessionStorage.removeItem(GUEST);
  } catch {
    // Where nothing is kept there is nothing to leave.
  }
}

/** Whether the browser keeps this for pages that came by no share. */
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

/** What the browser refused to keep, as long as the page is there. */
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

/** Null: it is not to be kept any more. */
export function writeText(name: string, text: string | null, keeper: Keeper = 'browser'): void {
  refused.delete(`${keeper} ${name}`);
  try {
    if (text === null) storageOf(keeper).removeItem(name);
    else storageOf(keeper).setItem(name, text);
  } catch {
    if (text !== null) refused.set(`${keeper} ${name}`, text);
  }
}

/** `parse` is given what was written, whoever wrote it; undefined when there is nothing that can be read. */
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

/** Where storage is denied, even naming it throws. */
const storageOf = (keeper: Keeper): Storage => (keeper === 'tab' || isGuest ? sessionStorage : localStorage);
