// What components reach beyond the stores: the client, to act, and the terminals, to adopt.
import { createContext, use } from 'react';
import type { ExecClient } from './client/exec-client.ts';
import type { Terminals } from './terminal/terminals.ts';

export interface ConsoleParts {
  readonly client: ExecClient;
  readonly terminals: Terminals;
}

export const ConsoleContext = createContext<ConsoleParts | null>(null);

export function useConsole(): ConsoleParts {
  const parts = use(ConsoleContext);
  if (!parts) throw new Error('invariant violation: used outside of the console');
  return parts;
}
