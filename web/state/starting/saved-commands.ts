// Named commands, stored per browser in full, including variable values; the person is warned about that.
import { storedList } from '../page/stored-list.ts';
import { asDraft, type Draft } from './draft.ts';

export interface SavedCommand {
  readonly name: string;
  readonly draft: Draft;
}

export const MOST_SAVED_COMMANDS = 30;
export const LONGEST_COMMAND_NAME = 40;
const STORAGE_KEY = 'exec-console.saved-commands';

const list = storedList(STORAGE_KEY, parseSaved, MOST_SAVED_COMMANDS);
export const savedCommands = list.store;

/** Saves a command; one with the same name is replaced in place. Returns false when there is no room for it. */
export function saveCommand(name: string, draft: Draft): boolean {
  return list.change((saved) =>
    saved.some((each) => each.name === name)
      ? saved.map((each) => (each.name === name ? { name, draft } : each))
      : [...saved, { name, draft }],
  );
}

export function deleteCommand(name: string): void {
  list.change((saved) => saved.filter((each) => each.name !== name));
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
