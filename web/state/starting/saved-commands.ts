// Named commands, stored per browser in full, including variable values; the person is warned about that.
import { createStore } from 'zustand/vanilla';
import { readStored, writeStored } from '../page/storage.ts';
import { asDraft, type Draft } from './draft.ts';

export interface SavedCommand {
  readonly name: string;
  readonly draft: Draft;
}

export const MOST_SAVED_COMMANDS = 30;
export const LONGEST_COMMAND_NAME = 40;
const STORAGE_KEY = 'exec-console.saved-commands';

export const savedCommands = createStore<{ readonly saved: readonly SavedCommand[] }>(() => ({
  saved: readStored(STORAGE_KEY, parseSaved),
}));

/** Saves a command; one with the same name is replaced in place. */
export function saveCommand(name: string, draft: Draft): void {
  change((saved) =>
    saved.some((each) => each.name === name)
      ? saved.map((each) => (each.name === name ? { name, draft } : each))
      : [...saved, { name, draft }],
  );
}

export function deleteCommand(name: string): void {
  change((saved) => saved.filter((each) => each.name !== name));
}

function parseSaved(stored: unknown): readonly SavedCommand[] {
  const saved = Array.isArray(stored) ? stored.flatMap(parseOne) : [];
  return saved
    .filter(({ name }, index) => saved.findIndex((each) => each.name === name) === index)
    .slice(0, MOST_SAVED_COMMANDS);
}

function parseOne(value: unknown): SavedCommand[] {
  const { name, draft } = (value ?? {}) as { readonly [member in keyof SavedCommand]?: unknown };
  const read = asDraft(draft);
  if (typeof name !== 'string' || name.trim() === '' || name.length > LONGEST_COMMAND_NAME || !read)
    return [];
  return [{ name, draft: read }];
}

/**
 * Applies a change to the stored commands, read again because another tab of the browser may have saved in
 * the meantime.
 */
function change(to: (saved: readonly SavedCommand[]) => readonly SavedCommand[]): void {
  const saved = to(readStored(STORAGE_KEY, parseSaved)).slice(0, MOST_SAVED_COMMANDS);
  writeStored(STORAGE_KEY, saved);
  savedCommands.setState({ saved });
}
