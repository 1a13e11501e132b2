// The shell line that starts an agent at this gateway, as the banner prints it: an agent accepts only a URL.

/** Returns the line, with the address by which this page was reached. */
export function agentLine(token: string): string {
  const url = new URL('.', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('token', token);
  return `CODEX_EXEC_SERVER_URL='${url.href}' codex`;
}
