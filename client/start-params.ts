// A person's wish to start something, in the wire's words.
import type { Requests } from '../protocol/methods.ts';
import type { StartRequest } from './exec-client.ts';

/** The params of a start into the console's own session. */
export function startParams(
  { argv, cwd, env, tty, pipeStdin = true, size, label, recorded, sandbox, like }: StartRequest,
  processId: string,
  windowBytes: number,
): Requests['process/start']['params'] {
  return {
    processId,
    argv: [...argv],
    cwd: fileUri(cwd),
    // A gateway that runs as a service has no terminal to name, or names a poor one; a model has named its own.
    env: { ...(tty && (like?.ownEnv ?? true) && { TERM: 'xterm-256color', COLORTERM: 'truecolor' }), ...env },
    envPolicy: { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] },
    tty,
    // A person may want to type into anything they started.
    pipeStdin: pipeStdin && !tty,
    session: 'console',
    size,
    ...(label !== undefined && { label }),
    ...(recorded === false && { recorded }),
    ...(sandbox && { sandbox }),
    ...(like && { like }),
    windowBytes,
  };
}

/** An absolute path as a file: URI. */
export function fileUri(path: string): string {
  return `file://${path.split('/').map(encodeURIComponent).join('/')}`;
}
