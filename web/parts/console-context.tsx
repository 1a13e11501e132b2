// What components reach beyond the stores: the client, to act, the terminals, to adopt, and what is used, to be shown.
import { createContext, use } from 'react';
import type { ExecClient } from '../../client/exec-client.ts';
import type { Terminals } from '../screen/terminal/terminals.ts';
import type { UsageFeed } from '../state/processes/usage-feed.ts';

export interface ConsoleParts {
  readonly client: ExecClient;
  readonly terminals: Terminals;
  readonly usage: UsageFeed;
  /** Says that what happened in an absence has been read. */
  readonly dismissAbsence: () => void;
}

export const ConsoleContext = createContext<ConsoleParts | null>(null);

export function useConsole(): ConsoleParts {
  const parts = use(ConsoleContext);
  if (!parts) throw new Error('invariant violation: used outside of the console');
  return parts;
}
