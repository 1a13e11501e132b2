// Creates the banner for a person who starts the gateway.
import { basename, join, relative } from 'node:path';

export interface BannerOptions {
  readonly pageUrl: string;
  readonly agentUrl: string;
  /** Command line with which the person can start this program. */
  readonly command: string;
  /** State folder that a command must specify to find this gateway; null: the default one. */
  readonly stateDir: string | null;
  /** Note printed when the default port was in use; null when there is none. */
  readonly note: string | null;
  readonly colours: boolean;
}

export function banner({ pageUrl, agentUrl, command, stateDir, note, colours }: BannerOptions): string {
  const bold = (text: string): string => (colours ? `\u001b[1m${text}\u001b[0m` : text);
  const dim = (text: string): string => (colours ? `\u001b[2m${text}\u001b[0m` : text);
  const found = stateDir === null ? '' : ` --state-dir ${quoted(stateDir)}`;
  return [
    '',
    `  ${bold('exec-console')} is running.${note ? ` ${note}` : ''}`,
    '',
    `  ${dim('Open the page')}     ${bold(pageUrl)}`,
    `                    ${dim('(works once, within 10 minutes)')}`,
    `  ${dim('Sign in as admin')}  ${command} link --role admin${found}`,
    `  ${dim('Connect an agent')}  CODEX_EXEC_SERVER_URL='${agentUrl}' codex`,
    `  ${dim('Stop')}              Ctrl-C`,
    '',
    '',
  ].join('\n');
}

/**
 * Returns the command line with which a person can start this program. `program`: the path given to Node; `main`:
 * this program's file. A clone is not on PATH, and `npx` finds it only from the clone's folders; elsewhere, `npx`
 * might run another package of that name.
 */
export function commandOf(program: string, main: string, cwd: string): string {
  if (basename(program) === 'exec-console' && !program.includes('/_npx/')) return 'exec-console';
  const isInClone = !relative(join(main, '../../..'), cwd).startsWith('..');
  return isInClone ? 'npx exec-console' : `node ${quoted(relative(cwd, main))}`;
}

const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
