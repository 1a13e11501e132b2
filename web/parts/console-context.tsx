// Objects that components use besides the stores: the client, the terminals and the usage feed.
import { createContext, use } from 'react';
import type { ExecClient } from '../../client/exec-client.ts';
import type { Terminals } from '../screen/terminal/terminals.ts';
import type { UsageFeed } from '../state/processes/usage-feed.ts';

export interface ConsoleParts {
  readonly client: ExecClient;
  readonly terminals: Terminals;
  readonly usage: UsageFeed;
  /** Dismisses the summary of an absence; processes that were not opened still need attention. */
  readonly dismissAbsence: () => void;
}

export const ConsoleContext = createContext<ConsoleParts | null>(null);

export function useConsole(): ConsoleParts {
  const parts = use(ConsoleContext);
  if (!parts) throw new Error('invariant violation: useConsole was called outside a ConsoleContext');
  return parts;
}
