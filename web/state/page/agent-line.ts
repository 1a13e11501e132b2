// Connection address for an agent at this gateway, as the banner prints it: agents accept only a URL.

/** Returns the address by which this page was reached, with the token. */
export function agentLine(token: string): string {
  const url = new URL('.', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('token', token);
  return `CODEX_EXEC_SERVER_URL='${url.href}' codex`;
}
