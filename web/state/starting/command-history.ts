// What was started from this browser, the newest first: to be started again, without the values of its variables.
import { createStore } from 'zustand/vanilla';
import { readStored, writeStored } from '../page/storage.ts';
import { asDraft, type Draft } from './draft.ts';
import { variableNames } from './variables.ts';

export interface FormerCommand extends Draft {
  /** They had values, which may be secrets and so are not kept. */
  readonly variableNames: readonly string[];
}

const MOST_KEPT = 50;
/** A script of more is kept by saving it. */
const LONGEST_KEPT = 10_000;
const STORAGE_KEY = 'exec-console.command-history';

export const commandHistory = createStore<{ readonly former: readonly FormerCommand[] }>(() => ({
  former: readStored(STORAGE_KEY, parseFormer),
}));

/** The same again takes the place of what was. */
export function rememberStarted(draft: Draft): void {
  if (draft.command.length > LONGEST_KEPT) return;
  const names = variableNames(draft.variables);
  const former = { ...draft, variables: '', variableNames: names };
  // On top of what another tab of the browser has kept meanwhile.
  const others = readStored(STORAGE_KEY, parseFormer).filter((other) => !isSame(other, former));
  keep([former, ...others].slice(0, MOST_KEPT));
}

export const forgetHistory = (): void => keep([]);

function keep(former: readonly FormerCommand[]): void {
  writeStored(STORAGE_KEY, former);
  commandHistory.setState({ former });
}

const isSame = (one: Draft, other: Draft): boolean => one.command === other.command && one.cwd === other.cwd;

function parseFormer(kept: unknown): readonly FormerCommand[] {
  if (!Array.isArray(kept)) return [];
  return kept.slice(0, MOST_KEPT).flatMap((value: unknown) => {
    const draft = asDraft(value);
    const names = (value as { readonly variableNames?: unknown } | null)?.variableNames;
    const isNamed = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
    return draft ? [{ ...draft, variables: '', variableNames: isNamed }] : [];
  });
}
