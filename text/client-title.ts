// Maps the names that clients send about themselves to product names.
import type { HistoryEntry } from '../protocol/history.ts';
import { visible } from './visible.ts';

const TITLES: ReadonlyMap<string, string> = new Map([
  ['codex-environment', 'Codex'],
  ['codex-mcp-client', 'Codex'],
  ['codex', 'Codex'],
  ['claude-code', 'Claude Code'],
  ['claude', 'Claude Code'],
  ['gemini-cli', 'Gemini CLI'],
  ['gemini', 'Gemini CLI'],
  ['cursor', 'Cursor'],
  ['vscode', 'VS Code'],
]);

/**
 * Returns `Codex` for `codex-environment`, for example; an unknown name is returned with hidden characters
 * escaped.
 */
export const clientTitle = (name: string): string => TITLES.get(name) ?? visible(name);

/** Returns the title for the client's name, or for the token's name if the client sent none. */
export const agentTitle = ({
  clientName,
  startedBy,
}: Pick<HistoryEntry, 'clientName' | 'startedBy'>): string => clientTitle(clientName || startedBy);

/** Returns the token's name, followed by the client's title in brackets where both exist and differ: `bot (Codex)`. */
export function starterTitle({
  clientName,
  startedBy,
}: Pick<HistoryEntry, 'clientName' | 'startedBy'>): string {
  const name = visible(startedBy);
  const kind = clientName ? clientTitle(clientName) : name;
  return kind === name ? name : `${name} (${kind})`;
}
