// Builds the shell command that starts an agent on this gateway, like the one in the gateway's banner. The token is
// part of the URL, since agents accept it nowhere else.

/** Returns the command, with the gateway's address derived from the address of this page. */
export function agentLine(token: string): string {
  const url = new URL('.', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('token', token);
  return `CODEX_EXEC_SERVER_URL='${url.href}' codex`;
}
