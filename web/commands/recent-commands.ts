// Recently used commands, newest first, stored per browser.
import { readStored, writeStored } from '../state/page/storage.ts';

const STORAGE_KEY = 'exec-console.recent-commands';
const MOST_REMEMBERED = 8;

export const recentCommands = (): readonly string[] => readStored(STORAGE_KEY, parseIds);

export function rememberCommand(id: string): void {
  writeStored(
    STORAGE_KEY,
    [id, ...recentCommands().filter((other) => other !== id)].slice(0, MOST_REMEMBERED),
  );
}

const parseIds = (stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MOST_REMEMBERED) : [];
