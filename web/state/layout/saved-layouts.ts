// Named layouts, stored per browser: the open processes and their places, which can be restored even after the
// processes were restarted.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { commandLine } from '../../../text/command-line.ts';
import { isLive } from '../../../text/process-words.ts';
import { storedList } from '../page/stored-list.ts';
import { keysOf, mapKeys, parseLayout, type Layout } from './layout-tree.ts';

/** Properties by which a restarted process is recognized. */
interface Likeness {
  readonly key: string;
  readonly command: string;
  readonly cwd: string;
}

export interface SavedLayout {
  readonly name: string;
  readonly layout: Layout;
  readonly processes: readonly Likeness[];
}

export const MOST_SAVED = 20;
export const LONGEST_NAME = 60;

const STORAGE_KEY = 'exec-console.layouts';

const list = storedList(STORAGE_KEY, parseSaved, MOST_SAVED);
export const savedLayouts = list.store;

/** Saves the layout, replacing any existing one of the same name. Returns false when there is no room for it. */
export function saveLayout(name: string, layout: Layout, infos: Infos): boolean {
  const saved = { name, layout, processes: keysOf(layout).flatMap((key) => likeness(infos[key])) };
  return list.change((others) => [saved, ...others.filter((other) => other.name !== name)]);
}

export function renameLayout(from: string, to: string): void {
  list.change((saved) =>
    saved
      .filter(({ name }) => name === from || name !== to)
      .map((each) => (each.name === from ? { ...each, name: to } : each)),
  );
}

export function deleteLayout(name: string): void {
  list.change((saved) => saved.filter((each) => each.name !== name));
}

type Infos = { readonly [key: string]: ProcessInfo };

/**
 * Returns the layout, with each process that is not running replaced by a live one that has the same command and
 * folder; where there is none, an unknown process is removed. Returns null when no process is left.
 */
export function layoutAgain({ layout, processes }: SavedLayout, infos: Infos): Layout | null {
  const keys = new Map<string, string>();
  const taken = new Set(keysOf(layout).filter((key) => infos[key] && isLive(infos[key])));
  const live = Object.values(infos)
    .filter(isLive)
    .toSorted((a, b) => b.startedAtMs - a.startedAtMs);
  for (const key of keysOf(layout)) {
    const known = infos[key];
    const like = processes.find((each) => each.key === key);
    const twin = live.find(
      (info) => !taken.has(info.key) && info.cwd === like?.cwd && commandLine(info.argv) === like.command,
    );
    if (taken.has(key)) keys.set(key, key);
    else if (twin) keys.set(key, twin.key);
    else if (known) keys.set(key, key);
    if (twin && !taken.has(key)) taken.add(twin.key);
  }
  return mapKeys(layout, keys);
}

export function parseSaved(stored: unknown): readonly SavedLayout[] {
  const saved = Array.isArray(stored) ? stored.flatMap(parseOne) : [];
  return saved
    .filter(({ name }, index) => saved.findIndex((each) => each.name === name) === index)
    .slice(0, MOST_SAVED);
}

function parseOne(value: unknown): SavedLayout[] {
  const { name, layout, processes } = (value ?? {}) as { readonly [member in keyof SavedLayout]?: unknown };
  const read = parseLayout(layout);
  if (typeof name !== 'string' || name.trim() === '' || name.length > LONGEST_NAME || !read) return [];
  return [{ name, layout: read, processes: Array.isArray(processes) ? processes.filter(isLikeness) : [] }];
}

function isLikeness(value: unknown): value is Likeness {
  const { key, command, cwd } = (value ?? {}) as { readonly [member in keyof Likeness]?: unknown };
  return typeof key === 'string' && typeof command === 'string' && typeof cwd === 'string';
}

const likeness = (info: ProcessInfo | undefined): Likeness[] =>
  info ? [{ key: info.key, command: commandLine(info.argv), cwd: info.cwd }] : [];
