// The one short block for a person who started the gateway.

export interface BannerOptions {
  readonly pageUrl: string;
  readonly agentUrl: string;
  /** Said when the default port was busy. */
  readonly note: string | null;
  readonly colours: boolean;
}

export function banner({ pageUrl, agentUrl, note, colours }: BannerOptions): string {
  const bold = (text: string): string => (colours ? `\u001b[1m${text}\u001b[0m` : text);
  const dim = (text: string): string => (colours ? `\u001b[2m${text}\u001b[0m` : text);
  return [
    '',
    `  ${bold('exec-console')} is running.${note ? ` ${note}` : ''}`,
    '',
    `  ${dim('Open the page')}     ${bold(pageUrl)}`,
    `                    ${dim('(works once, within 10 minutes)')}`,
    `  ${dim('As an admin')}       exec-console link --role admin`,
    `  ${dim('Connect an agent')}  CODEX_EXEC_SERVER_URL='${agentUrl}' codex`,
    `  ${dim('Stop')}              Ctrl-C`,
    '',
    '',
  ].join('\n');
}
