// Commands started from this browser, newest first; they can be started again, without the values of their variables.
import { createStore } from 'zustand/vanilla';
import { readStored, writeStored } from '../page/storage.ts';
import { asDraft, type Draft } from './draft.ts';
import { variableNames } from './variables.ts';

export interface FormerCommand extends Draft {
  /** Names of the variables; their values may be secrets and are not stored. */
  readonly variableNames: readonly string[];
}

const MOST_COMMANDS = 50;
/** Maximum length of a remembered command in characters; a longer script can be saved under a name. */
const LONGEST_COMMAND = 10_000;
const STORAGE_KEY = 'exec-console.command-history';

export const commandHistory = createStore<{ readonly former: readonly FormerCommand[] }>(() => ({
  former: readStored(STORAGE_KEY, parseFormer),
}));

/** Adds a started command unless it is too long, replacing one with the same command and folder. */
export function rememberStarted(draft: Draft): void {
  if (draft.command.length > LONGEST_COMMAND) return;
  const names = variableNames(draft.variables);
  const former = { ...draft, variables: '', variableNames: names };
  // The stored commands are read again, since another tab of the browser may have added one in the meantime.
  const others = readStored(STORAGE_KEY, parseFormer).filter((other) => !isSame(other, former));
  keep([former, ...others].slice(0, MOST_COMMANDS));
}

export const forgetHistory = (): void => keep([]);

function keep(former: readonly FormerCommand[]): void {
  writeStored(STORAGE_KEY, former);
  commandHistory.setState({ former });
}

const isSame = (one: Draft, other: Draft): boolean => one.command === other.command && one.cwd === other.cwd;

function parseFormer(stored: unknown): readonly FormerCommand[] {
  if (!Array.isArray(stored)) return [];
  return stored.slice(0, MOST_COMMANDS).flatMap((value: unknown) => {
    const draft = asDraft(value);
    const names = (value as { readonly variableNames?: unknown } | null)?.variableNames;
    const isNamed = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
    return draft ? [{ ...draft, variables: '', variableNames: isNamed }] : [];
  });
}
