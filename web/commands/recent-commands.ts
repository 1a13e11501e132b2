// Which commands a person used last, newest first; kept per browser.
const STORAGE_KEY = 'exec-console.recent-commands';
const MOST_REMEMBERED = 8;

export function recentCommands(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string').slice(0, MOST_REMEMBERED) : [];
  } catch {
    return [];
  }
}

export function rememberCommand(id: string): void {
  const ids = [id, ...recentCommands().filter((other) => other !== id)].slice(0, MOST_REMEMBERED);
  localStorage.setItem(STORAGE_KEY, JSON.stringify(ids));
}
