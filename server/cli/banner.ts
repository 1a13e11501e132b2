// The one short block for a person who started the gateway.
import { basename } from 'node:path';

export interface BannerOptions {
  readonly pageUrl: string;
  readonly agentUrl: string;
  /** What a person types for this program, as they started it. */
  readonly command: string;
  /** Said when the default port was busy. */
  readonly note: string | null;
  readonly colours: boolean;
}

export function banner({ pageUrl, agentUrl, command, note, colours }: BannerOptions): string {
  const bold = (text: string): string => (colours ? `\u001b[1m${text}\u001b[0m` : text);
  const dim = (text: string): string => (colours ? `\u001b[2m${text}\u001b[0m` : text);
  return [
    '',
    `  ${bold('exec-console')} is running.${note ? ` ${note}` : ''}`,
    '',
    `  ${dim('Open the page')}     ${bold(pageUrl)}`,
    `                    ${dim('(works once, within 10 minutes)')}`,
    `  ${dim('As an admin')}       ${command} link --role admin`,
    `  ${dim('Connect an agent')}  CODEX_EXEC_SERVER_URL='${agentUrl}' codex`,
    `  ${dim('Stop')}              Ctrl-C`,
    '',
    '',
  ].join('\n');
}

/** `program`: the path that Node was given. Of a checkout the program is on no path; npx finds it in that folder. */
export const commandOf = (program: string): string =>
  basename(program) === 'exec-console' ? 'exec-console' : 'npx exec-console';
