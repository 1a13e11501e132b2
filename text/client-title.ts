// Maps the names that clients send about themselves to product names.
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
