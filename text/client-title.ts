// The product behind the name by which a client introduces itself.
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

/** Returns `Codex` for `codex-environment`; an unknown name is returned as it is safe to show. */
export const clientTitle = (name: string): string => TITLES.get(name) ?? visible(name);
